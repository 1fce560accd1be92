// The one line to the gateway: numbered messages both ways, and the way back when it breaks.

const PAUSES = [0, 200, 300, 400, 500, 500, 500, 1000, 2000, 4000];
const ASLEEP = 15000; // a line that was not looked at for so long, in milliseconds, may be dead

/** Made once for each answer: the gateway counts an answer that comes twice once. */
const newId = () => crypto.getRandomValues(new Uint32Array(3)).join("-");

export class Line {
  /** `hear` takes every message, `stand` whether it is connected, `greet` gives the first messages. */
  constructor(hear, stand, greet) {
    Object.assign(this, { hear, stand, greet });
    this.waiting = new Map(); // number -> what to do with the answer
    this.open = new Map(); // id -> a move that the gateway has not spoken about, and what to do then
    addEventListener("online", () => this.again(true));
    addEventListener("pageshow", () => this.again(false));
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.left = Date.now();
      else this.again(Date.now() - this.left > ASLEEP);
    });
    this.begin();
  }

  get stands() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  call() {
    clearTimeout(this.timer);
    const socket = (this.socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws`));
    this.n = 0;
    this.back = this.plays = false; // whether the gateway has shown anything on this line, and the match
    this.waiting.clear();
    const on = (kind, then) => (socket[`on${kind}`] = (event) => socket === this.socket && then(event));
    on("open", () => this.greet().forEach((message) => this.send(message)));
    on("message", ({ data }) => this.take(JSON.parse(data)));
    on("close", () => this.lose());
  }

  take(message) {
    if (message.kind === "bye") this.ended = !message.again;
    if (message.kind === "answer") {
      this.waiting.get(message.to)?.(message);
      this.waiting.delete(message.to);
    }
    this.hear(message);
    const match = message.kind === "page";
    if (!this.back && (match || ["lobby", "door"].includes(message.kind))) {
      this.back = true;
      this.tries = 0;
      this.stand(true);
    }
    if (this.plays || !match) return;
    this.plays = true; // before, the gateway may not be at the table yet, and would refuse them
    for (const { message: sent, done } of this.open.values()) this.send({ ...sent, again: true }, done);
  }

  lose() {
    this.stand(false);
    if (!this.ended) this.timer = setTimeout(() => this.call(), PAUSES[this.tries++] ?? PAUSES.at(-1));
  }

  /** Come back at once where the line is broken, or may be dead without anybody having noticed. */
  again(doubtful) {
    if (this.ended || document.hidden || this.socket.readyState === WebSocket.CONNECTING) return;
    if (this.stands && !doubtful) return;
    const old = this.socket;
    this.call();
    old.close();
  }

  /** Come for the first time, or though the gateway said not to. */
  begin() {
    this.ended = false;
    this.tries = 0;
    this.call();
  }

  /** Send, if connected; `then` is given the answer. */
  send(message, then) {
    if (!this.stands) return;
    const n = ++this.n;
    if (then) this.waiting.set(n, then);
    this.socket.send(JSON.stringify({ n, ...message }));
  }

  /** Answer with a move. It is sent again, as the same one, until the gateway has spoken about it. */
  move(move, then) {
    const message = { kind: "move", id: newId(), move };
    const done = (answer) => {
      this.open.delete(message.id);
      then(answer);
    };
    this.open.set(message.id, { message, done });
    if (this.plays) this.send(message, done);
  }
}
