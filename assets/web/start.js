// Says so where the page cannot start; in the words of old browsers, which this file alone must know.
(function () {
  var text = "This page can't start in this browser. Load it again, or use a newer one: Safari 14, Chrome 87, Firefox 88 or later.";
  if (/^ja/.test(navigator.language)) text = "このブラウザではページを開けません。読み込み直すか、新しいブラウザを使ってください（Safari 14、Chrome 87、Firefox 88以降）。";
  function tell() {
    var splash = document.getElementById("splash");
    if (!splash) return; // it has started
    splash.className = "soft";
    splash.innerText = text;
  }
  if (!("noModule" in document.createElement("script"))) window.onload = tell;
  window.addEventListener("error", function (event) {
    if (event.target === window || event.target.tagName === "SCRIPT") tell();
  }, true);
})();
