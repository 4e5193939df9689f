# SPDX-License-Identifier: MIT
"""Checks how a report (tools/common/report) looks in a browser. Headless Chromium lays it out at the widths of phones and desks,
in frames of these widths, and a script in the page around them measures. Nothing may lie outside the window or on top of
something else, text must be large enough to read, and nothing may come from a network."""
import html
import json
import os
import re
import subprocess

WIDTHS = [360, 390, 768, 1280]

# Measures a frame; returns a sentence for each defect.
MEASURE = r"""
function measure(frame) {
  const width = frame.clientWidth, page = frame.contentDocument, wrong = [];
  const isSeen = element => element.getClientRects().length > 0;
  const say = (element, what) => wrong.push(`${width}: <${element.tagName}> "${element.textContent.trim().slice(0, 40)}" ${what}`);
  if (page.scrollingElement.scrollWidth > width) wrong.push(`${width}: the page is ${page.scrollingElement.scrollWidth} wide`);
  for (const element of page.body.querySelectorAll("*"))
    if (isSeen(element) && !element.closest(".scroll, svg")) {
      const box = element.getBoundingClientRect();
      if (box.left < -0.5 || box.right > width + 0.5) say(element, "is outside the window");
    }
  for (const table of page.querySelectorAll(".prose")) {
    if (table.parentNode.scrollWidth > table.parentNode.clientWidth + 1) say(table, "has to be scrolled");
    for (const text of table.querySelectorAll("td.text span")) {
      const box = text.getBoundingClientRect(), size = parseFloat(frame.contentWindow.getComputedStyle(text).fontSize);
      if (box.width < 180 && text.scrollHeight > 1.6 * size * 2) say(text, `has lines of ${box.width} pixels`);
      if (size < 12) say(text, `is ${size} high`);
    }
  }
  for (const figure of page.querySelectorAll("figure")) {
    const pictures = [...figure.querySelectorAll("svg")].filter(isSeen);
    if (pictures.length != 1) say(figure, `shows ${pictures.length} pictures`);
    for (const swatch of figure.querySelectorAll(".legend i"))
      if (frame.contentWindow.getComputedStyle(swatch).backgroundColor == "rgba(0, 0, 0, 0)") say(swatch.parentNode, "has no colour");
    for (const picture of pictures) {
      const frameBox = picture.getBoundingClientRect(), boxes = [];
      if (!picture.querySelector(".line, .dot, .bar")) say(picture, "shows nothing");
      for (const text of picture.querySelectorAll("text")) {
        const box = text.getBoundingClientRect();
        if (box.height < 11) say(text, `is ${box.height} high`);
        if (box.left < frameBox.left - 1 || box.right > frameBox.right + 1 || box.bottom > frameBox.bottom + 1)
          say(text, "is outside its picture");
        for (const [other, name] of boxes)
          if (Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
              Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 3) say(text, `lies on "${name}"`);
        boxes.push([box, text.textContent]);
      }
      for (const mark of picture.querySelectorAll(".line, .dot, .bar")) {
        const box = mark.getBoundingClientRect();
        if (box.left < frameBox.left - 1 || box.right > frameBox.right + 1 || box.top < frameBox.top - 1) say(mark, "is outside its picture");
        const style = frame.contentWindow.getComputedStyle(mark);
        if ((mark.classList.contains("line") ? style.stroke : style.fill) == "none") say(mark, "has no colour");
      }
    }
  }
  return {figures: page.querySelectorAll("figure").length, tables: page.querySelectorAll("table").length, wrong};
}
onload = () => {
  const found = [...document.querySelectorAll("iframe")].map(measure);
  document.body.innerHTML = "<pre></pre>";
  document.querySelector("pre").textContent = JSON.stringify(found);
};
"""


def look_at(chromium, report, folder):
    frames = "".join(f'<iframe style="border:0;width:{width}px;height:900px" srcdoc="{html.escape(report)}"></iframe>'
                     for width in WIDTHS)
    path = os.path.join(folder, "frames.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"<!DOCTYPE html><meta charset=utf-8><body><script>{MEASURE}</script>{frames}</body>")
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
               f"--user-data-dir={folder}/profile", "--dump-dom", "file://" + path]
    page = subprocess.run(command, capture_output=True, text=True, timeout=200, check=True).stdout
    return json.loads(html.unescape(re.search(r"<pre>(.*)</pre>", page, re.S)[1]))


def defects_of(chromium, report, folder):
    return [line for frame in look_at(chromium, report, folder) for line in frame["wrong"]]


def problems_of(chromium, report, folder, figures, tables):
    """The defects of a page that must have at least so many figures and tables, a sentence each."""
    problems = [f"the page refers to something else: {word}" for word in
                ("http:", "https:", "src=", "href=", "url(", "@import", "<script", "<link") if word in report]
    for frame in look_at(chromium, report, folder):
        problems += frame["wrong"]
        if frame["figures"] < figures or frame["tables"] < tables:
            problems.append(f"only {frame['figures']} figures and {frame['tables']} tables")
    # If a planted defect is not found, the page was not looked at.
    broken_tables = [("long texts on one line", report.replace(".prose .text {", ".prose .text span { white-space: nowrap !important; } .prose .text {")),
                     ("texts in narrow columns", report.replace(".prose .text {", ".prose .text span { display: block; width: 60px; flex: none !important; } .prose .text {"))]
    for name, broken in (broken_tables if 'class="prose"' in report else []) + [
            ("something too wide", report.replace("</h1>", "</h1><div style='width:1500px'>x</div>")),
            ("texts on each other", re.sub(r'(<text class="mark"|<text) x="[^"]*" y="[^"]*"', r'\1 x="90" y="50"', report)),
            ("text too small", report.replace("font: 12px", "font: 6px")),
            ("a chart without colours", re.sub(r"(fill|stroke): var\(--s", r"\1: none; x: var(--s", report))]:
        if not defects_of(chromium, broken, folder):
            problems.append(f"{name}: not found")
    return problems


def tell(problems):
    """Prints the problems for tools/sum-up-tests. Returns the exit status."""
    print("\n".join(problems[:40]) or f"{len(WIDTHS)} widths, nothing wrong")
    print("0 passed, 1 failed" if problems else "1 passed, 0 failed")
    return 1 if problems else 0
