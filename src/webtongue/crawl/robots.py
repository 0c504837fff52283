"""Scrapy's robots.txt with two changes: rules of old hosts are forgotten, and a server that fails is left alone (RFC 9309)."""

from __future__ import annotations

from typing import Any

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from twisted.internet.defer import Deferred

__all__ = ["RobotsMiddleware"]

MOST_HOSTS = 2048  # whose rules are remembered: a host has ten requests, close together
NOTHING_ALLOWED = b"User-agent: *\nDisallow: /\n"


class RobotsMiddleware(RobotsTxtMiddleware):
    """In place of Scrapy's own; on and off by ROBOTSTXT_OBEY as that is."""

    async def robot_parser(self, request: Any) -> Any:
        found = await super().robot_parser(request)
        if len(self._parsers) > MOST_HOSTS:
            oldest = next(iter(self._parsers))
            if not isinstance(self._parsers[oldest], Deferred):
                del self._parsers[oldest]
        return found

    async def _parse_robots(self, response: Any, netloc: str, request: Any) -> None:
        """A server error means that nothing may be asked for, not that the error page holds rules; what is missing allows all."""
        if response.status >= 500:
            response = response.replace(body=NOTHING_ALLOWED)
        elif response.status >= 400:
            response = response.replace(body=b"")
        await super()._parse_robots(response, netloc, request)
