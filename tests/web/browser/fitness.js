// What is wrong with the screen for a thumb or for weak eyes: too small, unnamed, too pale, too wide.
() => {
  const found = [];
  const shown = (one) => one.getClientRects().length && getComputedStyle(one).visibility !== "hidden";
  const called = (one) => `${one.tagName.toLowerCase()}.${one.className} "${(one.ariaLabel || one.textContent || "").trim().slice(0, 40)}"`;
  const dialog = document.querySelector("dialog[open]");
  const root = dialog || document.getElementById("app");

  for (const one of root.querySelectorAll("button, input, [role=tab], a[href]")) {
    if (!shown(one)) continue;
    const { width, height } = one.getBoundingClientRect();
    if (width < 43.5 || height < 43.5) found.push(`small ${Math.round(width)}x${Math.round(height)}: ${called(one)}`);
  }

  const numbers = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const over = (top, under) => {
    const a = top.length > 3 ? top[3] : 1;
    return [0, 1, 2].map((i) => top[i] * a + under[i] * (1 - a));
  };
  const behind = (one) => {
    const sheets = [];
    for (let at = one; at; at = at.parentElement) sheets.push(numbers(getComputedStyle(at).backgroundColor));
    return sheets.reverse().reduce((under, top) => (top.length ? over(top, under) : under), [255, 255, 255]);
  };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const one = text.parentElement;
    if (!text.data.trim() || !shown(one) || one.closest("[disabled]")) continue;
    const style = getComputedStyle(one);
    const ground = behind(one);
    const [a, b] = [light(over(numbers(style.color), ground)), light(ground)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (ratio < least) found.push(`pale ${ratio.toFixed(1)} of ${least}: ${called(one)}`);
  }

  if (document.documentElement.scrollWidth > innerWidth + 1) found.push(`wide ${document.documentElement.scrollWidth} of ${innerWidth}`);
  const panel = document.getElementById("panel");
  if (panel && panel.scrollWidth > panel.clientWidth + 1) found.push(`panel wide ${panel.scrollWidth} of ${panel.clientWidth}`);
  return [...new Set(found)];
};
