// The one line to the gateway: numbered messages both ways, and the way back when it breaks.

const PAUSES = [0, 200, 300, 400, 500, 500, 500, 1000, 2000, 4000];
const ASLEEP = 15000; // milliseconds until an unchecked line may be dead
const QUIET = 3; // seconds of silence before an open page asks for a sign of life
const FAILURES = 3; // equal ones in a row until the page says what they look like
const CLOSED = 1000; // how a socket is closed whose page is left
const DEAD = 8; // seconds of silence before it gives up the line

/** What each event does to the line in each of its states; what is not here changes nothing.
 *  over: the gateway said not to come back; offline: there is no socket; connecting: the gateway has shown
 *  nothing on it yet; standing: what is sent is answered, or who waits hears null as the line goes. */
const EVENTS = {
  over: { begin: "call", send: "refuse" },
  offline: { begin: "call", due: "call", wake: "call", doubt: "call", send: "refuse" },
  connecting: { begin: "renew", doubt: "renew", silent: "renew", closed: "fall", left: "part", bye: "end", shown: "rise", send: "refuse" },
  standing: { begin: "renew", doubt: "renew", silent: "renew", closed: "fall", left: "part", bye: "end", quiet: "beat", send: "write" },
};

/** Made once for each answer: the gateway counts an answer that comes twice once. */
const newId = () => crypto.getRandomValues(new Uint32Array(3)).join("-");

export class Line {
  /** `hear` takes every message, `stand` whether the line stands, `greet` gives the first messages; `fail` each
   *  third equal failure: "unopened", or "unheard" where nothing came. */
  constructor(hear, stand, greet, fail) {
    Object.assign(this, { hear, stand, greet, fail, state: "over", failure: "", failures: 0 });
    this.waiting = new Map(); // number -> what to do with the answer
    this.open = new Map(); // id -> a move that the gateway has not spoken about, and what to do then
    const wake = (event) => document.hidden || this.on(event);
    addEventListener("online", () => wake("doubt"));
    addEventListener("pageshow", () => wake("wake"));
    addEventListener("pagehide", () => this.on("left"));
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.left = Date.now();
      else wake(Date.now() - this.left > ASLEEP ? "doubt" : "wake");
    });
    setInterval(() => document.hidden || this.tick(), 1000);
    this.begin();
  }

  on(event, ...told) {
    const does = EVENTS[this.state][event];
    if (does) this[does](...told);
  }

  /** Connect, even where the gateway said not to. */
  begin() {
    this.tries = 0;
    this.on("begin");
  }

  /** Send, if the line stands; `then` is given the answer, or null if none can come any more. */
  send(message, then = () => {}) {
    this.on("send", message, then);
  }

  /** Answer with a move. It is sent again, as the same one, until the gateway has spoken about it. */
  move(move, then) {
    const message = { kind: "move", id: newId(), move };
    const done = (answer) => answer && this.open.delete(message.id) && then(answer);
    this.open.set(message.id, { message, done });
    if (this.plays) this.send(message, done);
  }

  // What the events do

  call() {
    clearTimeout(this.timer);
    const socket = new WebSocket(new URL("ws", location.href.replace(/^http/, "ws")).href.split("#")[0]);
    // plays: whether the gateway has shown the match on this line; beats: whether it gives signs of life
    Object.assign(this, { socket, state: "connecting", met: "unopened", n: 0, seconds: 0, plays: false, beats: false });
    const on = (kind, then) => (socket[`on${kind}`] = (event) => socket === this.socket && then(event));
    on("open", () => {
      this.met = "unheard";
      this.greet().forEach((message) => this.write(message));
    });
    on("message", ({ data }) => this.take(JSON.parse(data)));
    on("close", () => this.on("closed"));
  }

  rise() {
    this.state = "standing";
    this.tries = 0;
    this.stand(true);
  }

  fall() {
    this.leave("offline");
    this.timer = setTimeout(() => this.on("due"), PAUSES[Math.min(this.tries++, PAUSES.length - 1)]);
  }

  renew() {
    this.leave("offline");
    this.call();
  }

  /** The page is closed or left: tell the gateway, unlike a phone that falls asleep. */
  part() {
    this.leave("offline", CLOSED);
  }

  end() {
    this.leave("over");
  }

  /** Leave the line, and settle what still waits for an answer: none will come. */
  leave(state, code) {
    const { socket, waiting } = this;
    if (this.state === "connecting" && state === "offline" && !code) this.count(this.met);
    Object.assign(this, { state, socket: null, waiting: new Map(), plays: false });
    if (code) socket.close(code);
    else socket.close();
    this.stand(false);
    for (const then of waiting.values()) then(null);
  }

  write(message, then) {
    const n = ++this.n;
    if (then) this.waiting.set(n, then);
    this.socket.send(JSON.stringify({ n, ...message }));
  }

  refuse(message, then) {
    then(null);
  }

  beat() {
    if (this.beats) this.write({ kind: "beat" });
  }

  /** A second of silence while the page is seen. By a busy phone the seconds in which nothing could be
   *  heard either count as one. */
  tick() {
    this.seconds += 1;
    if (this.seconds === QUIET) this.on("quiet");
    if (this.seconds >= DEAD && (this.beats || this.state === "connecting")) this.on("silent");
  }

  /** Count a socket that came to nothing. */
  count(failure) {
    this.failures = failure === this.failure ? this.failures + 1 : 1;
    this.failure = failure;
    if (this.failures % FAILURES === 0) this.fail(failure);
  }

  take(message) {
    const { kind, to } = message;
    this.seconds = 0;
    this.met = this.failure = "";
    if (kind === "welcome") this.beats = Boolean(message.beats);
    if (["page", "lobby", "door"].includes(kind)) this.on("shown");
    if (kind === "answer") {
      const then = this.waiting.get(to);
      this.waiting.delete(to);
      then?.(message);
    }
    if (kind === "lobby") for (const { done } of [...this.open.values()]) done({ text: "" }); // their match is gone
    this.hear(message);
    if (kind === "bye" && !message.again) this.on("bye");
    if (this.plays || kind !== "page") return;
    this.plays = true; // before, the gateway may not be at the table yet, and would refuse them
    for (const { message: sent, done } of this.open.values()) this.send({ ...sent, again: true }, done);
  }
}
