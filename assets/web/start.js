// Says so where the page cannot start; in the words of old browsers, which this file alone must know.
(function () {
  var text = "This page can't start in this browser. Load it again, or use a newer one: Safari 14, Chrome 87, Firefox 88 or later.";
  if (/^ja/.test(navigator.language)) text = "このブラウザではページを開けません。読み込み直すか、新しいブラウザを使ってください（Safari 14、Chrome 87、Firefox 88以降）。";
  function tell(why) {
    var splash = document.getElementById("splash");
    if (!splash) return; // it has started
    splash.className = "soft";
    splash.innerText = why || text;
  }
  /** A file is missing: the gateway knows why. */
  function ask() {
    var request = new XMLHttpRequest();
    request.onloadend = function () {
      try { tell(JSON.parse(request.responseText).files); } catch (error) { tell(); }
    };
    request.open("GET", "why?origin=" + encodeURIComponent(location.protocol + "//" + location.host));
    request.send();
  }
  var old = !("noModule" in document.createElement("script"));
  if (old) window.onload = function () { tell(); };
  window.addEventListener("error", function (event) {
    if (event.target === window) tell();
    else if (event.target.tagName === "SCRIPT" && !old) ask();
  }, true);
})();
