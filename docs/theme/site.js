// Wide tables scroll: make them reachable with the keyboard. The theme wraps them when the page has loaded.
addEventListener("load", () => {
  for (const wrapper of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code")) wrapper.tabIndex = 0;
});
