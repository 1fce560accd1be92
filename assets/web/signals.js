// How a phone tells that it is one's turn, and how its screen stays on.

const HUM = [60, 40, 60];
const CHIME = [660, 880]; // two notes, in hertz
const Sound = window.AudioContext || window.webkitAudioContext; // Safari up to 14.0 calls it otherwise

const hums = Boolean(navigator.vibrate) && matchMedia("(pointer: coarse)").matches; // desktop browsers only have the function

/** What this phone can do: vibrate, or else chime; show notices while another page is seen. */
export const can = {
  hum: hums,
  chime: !hums && Boolean(Sound),
  notify: isSecureContext && "Notification" in window,
  stayAwake: Boolean(navigator.wakeLock),
};

let sound = null;

/** Browsers let a page sound once it was tapped; a call silences it until the next tap. */
if (can.chime) document.addEventListener("click", () => {
  if (navigator.audioSession) navigator.audioSession.type = "ambient"; // music goes on, a silent phone is silent
  sound = sound || new Sound();
  if (sound.state !== "running") sound.resume().catch(() => {});
}, true);

/** Vibrate or chime, if allowed. */
export function call() {
  if (can.hum && navigator.userActivation?.hasBeenActive) navigator.vibrate(HUM);
  if (!sound || sound.state !== "running") return;
  CHIME.forEach((pitch, place) => {
    const [tone, level, at] = [sound.createOscillator(), sound.createGain(), sound.currentTime + 0.15 * place];
    tone.frequency.value = pitch;
    level.gain.setValueAtTime(0.1, at);
    level.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    tone.connect(level);
    level.connect(sound.destination);
    tone.start(at);
    tone.stop(at + 0.5);
  });
}

/** Whether notices are allowed, or may be asked for. */
export const mayNotify = () => can.notify && Notification.permission !== "denied";

/** Ask for permission to show notices; return whether it was given. Phones need a worker for them. */
export async function askToNotify() {
  const allowed = await new Promise((then) => {
    const asked = Notification.requestPermission(then);
    if (asked) asked.then(then);
  });
  if (allowed === "granted" && navigator.serviceWorker) {
    await navigator.serviceWorker.register(new URL("worker.js", import.meta.url)).catch(() => {});
  }
  return allowed === "granted";
}

/** Show a notice while another page is seen. */
export async function notify(title, body) {
  if (!can.notify || !document.hidden || Notification.permission !== "granted") return;
  const told = { body, tag: "turn", icon: new URL("icon-180.png", import.meta.url).href };
  try {
    const shown = new Notification(title, told);
    shown.onclick = () => { window.focus(); shown.close(); };
  } catch {
    const worker = await navigator.serviceWorker?.getRegistration(new URL(".", import.meta.url)).catch(() => null);
    if (worker) worker.showNotification(title, told).catch(() => {});
  }
}

let wanted = false; // whether the screen is to stay on
let lock = null;

/** Keep the screen on, or no more; only where the page is encrypted may a page ask for it. */
export async function stayAwake(on) {
  if (!can.stayAwake || on === wanted) return;
  wanted = on;
  if (lock) lock.release().catch(() => {});
  lock = on ? await navigator.wakeLock.request("screen").catch(() => null) : null; // a low battery refuses
}
