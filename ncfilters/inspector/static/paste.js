"use strict";
// Sends a pasted page or a file, and opens its view.
const form = document.getElementById("paste");
const message = document.getElementById("message");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  message.textContent = "Reading…";
  try {
    const response = await fetch("/api/paste", {
      method: "POST", headers: { "X-NC-Token": form.dataset.token }, body: new FormData(form),
    });
    if (!response.ok) {
      const text = await response.text();
      let cause = text;
      try { cause = JSON.parse(text).error; } catch { /* plain text */ }
      message.textContent = cause;
      return;
    }
    location.href = (await response.json()).address;
  } catch {
    message.textContent = "The server does not answer.";
  }
});
