// A server's public page: which of its two views the address means.

import { app } from "./frame.js";
import { show as list } from "./list.js";
import { show as replay } from "./replay.js";

const match = /^\/replay\/([^/]+)$/.exec(location.pathname)?.[1];
await (match ? replay(match) : list());
app.hidden = false;
