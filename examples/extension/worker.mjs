// Holds the model and answers the pages' questions. The model is part of the extension: it is read, not fetched.

import { UrlModel } from "./urlmodel.mjs";

const MOST = 5000; // addresses of one question

let model; // a promise: read when the first page asks

const loaded = () => (model ??= fetch(chrome.runtime.getURL("url.bin")).then(UrlModel.load));

chrome.runtime.onMessage.addListener((urls, sender, answer) => {
  if (!Array.isArray(urls)) return false;
  loaded().then((found) => answer(urls.slice(0, MOST).map((url) => found.classify(String(url)))));
  return true; // the answer comes later
});
