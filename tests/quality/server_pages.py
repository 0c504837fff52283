"""Pages without authored text: server errors, login forms, mail headers, drawings, modelled on real ones."""

from __future__ import annotations

from collections.abc import Iterator

from tests.quality.kinds import Content, Random, kind, page
from tests.quality.names import FIRST, LAST

ERRORS = (
    (400, "Bad Request"), (401, "Unauthorized"), (403, "Forbidden"), (404, "Not Found"), (405, "Method Not Allowed"),
    (408, "Request Timeout"), (410, "Gone"), (414, "URI Too Long"), (429, "Too Many Requests"), (500, "Internal Server Error"),
    (502, "Bad Gateway"), (503, "Service Unavailable"), (504, "Gateway Timeout"),
)  # fmt: skip
REDIRECTS = ((301, "Moved Permanently"), (302, "Found"), (307, "Temporary Redirect"))
SERVERS = (
    "nginx", "nginx/1.18.0", "nginx/1.14.2 (Ubuntu)", "openresty", "openresty/1.21.4.1", "cloudflare", "Apache", "lighttpd/1.4.59",
    "Apache/2.4.41 (Ubuntu) Server at example.org Port 80", "Microsoft-IIS/8.5", "Tengine", "awselb/2.0", "Varnish cache server",
)  # fmt: skip


@kind("error pages of one line", "eng_Latn")
def short_errors(rng: Random) -> Iterator[Content]:
    for code, name in (*ERRORS, *REDIRECTS):
        for server in SERVERS:
            head = f"<html><head><title>{code} {name}</title></head>"
            yield f"{head}<body><center><h1>{code} {name}</h1></center><hr><center>{server}</center></body></html>".encode()
    for code, name in ERRORS:
        yield f"{code} {name}".encode()
        yield f"HTTP Error {code} - {name}".encode()
        yield f"<h1>{name}</h1><p>Error {code}</p>".encode()


@kind("login forms", "eng_Latn")
def logins(rng: Random) -> Iterator[Content]:
    names = ("Username", "User name", "E-mail", "Email address", "Login", "User ID")
    buttons = ("Log in", "Sign in", "Login", "Submit", "Enter", "OK")
    extras = (
        "Remember me",
        "Forgot password?",
        "Register",
        "Lost password",
        "Sign up",
        "Keep me signed in",
        "Cancel",
        "Back",
    )
    for _ in range(200):
        items = "".join(f"<a href=#>{extra}</a> " for extra in rng.sample(extras, rng.randrange(0, 4)))
        form = (
            f"<form><label>{rng.choice(names)}</label><input name=u><label>Password</label><input type=password name=p>"
            f"<button>{rng.choice(buttons)}</button></form>{items}"
        )
        yield page(
            form,
            rng.choice(("", "en", "de", "ja")),
            rng.choice(("Login", "Sign in", "Admin", "Webmail", "cPanel", "")),
        )


@kind("mail headers")
def mails(rng: Random) -> Iterator[Content]:
    for _ in range(200):
        first, last = rng.choice(FIRST), rng.choice(LAST)
        address = f"{first}.{last}@{rng.choice(('example.org', 'mail.example.net', 'example.co.uk'))}".lower()
        number = f"{rng.getrandbits(60):x}"
        rows = [
            f"Return-Path: <{address}>",
            f"Received: from mx{rng.randrange(9)}.example.net (mx{rng.randrange(9)}.example.net [10.0.{rng.randrange(255)}.7])",
            f"\tby mail.example.org (Postfix) with ESMTPS id {number[:10].upper()}",
            f"Message-ID: <{number}@example.org>",
            f"From: {first} {last} <{address}>",
            f"To: list@example.org, {rng.choice(FIRST)} {rng.choice(LAST)} <info@example.com>",
            f"Date: Tue, {rng.randrange(1, 29)} Mar 20{rng.randrange(10, 25)} 11:{rng.randrange(10, 60)}:07 +0100",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8; format=flowed",
            "Content-Transfer-Encoding: quoted-printable",
            "X-Mailer: Mutt/1.10",
            f"User-Agent: Mozilla/5.0 Thunderbird/{rng.randrange(50, 110)}.0",
            f"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=key1; bh={number}=; b={number[::-1]}",
            "X-Spam-Status: No, score=-1.9 required=5.0 tests=BAYES_00",
        ]
        yield "\n".join(rng.sample(rows, rng.randrange(4, len(rows))))


@kind("text of drawings")
def drawings(rng: Random) -> Iterator[Content]:
    labels = "x y z t0 t1 Vcc GND IN OUT R1 C2 Q3 n=4 kHz mm 0.5 max min A B C D fig. 1a Δt α β N S E W km 2019 2020 Q1 Q2 Jan Feb".split()
    for _ in range(150):
        items = "".join(f"<text x='{i}' y='{i}'>{rng.choice(labels)}</text>" for i in range(rng.randrange(8, 60)))
        drawing = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>{items}</svg>"
        yield drawing.encode() if rng.random() < 0.5 else page(drawing)
