// A plain page: it joins a table and plays by buttons. It knows the table model and no game.
const house = document.getElementById("house");
const said = document.getElementById("said");
const code = location.pathname.startsWith("/t/") ? location.pathname.slice(3).toUpperCase() : null;

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}
const random = (bytes) => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const kept = () => JSON.parse(localStorage.getItem("ninefold " + code) || "null");
const keep = (seat) => localStorage.setItem("ninefold " + code, JSON.stringify(seat));

function say(text, wrong = false) {
  said.textContent = text;
  said.className = wrong ? "error" : "";
}

async function ask(method, path, body) {
  const answer = await fetch(path, {
    method, headers: { "Content-Type": "application/json" }, body: body && JSON.stringify(body),
  });
  const found = answer.status === 204 ? {} : await answer.json();
  if (!answer.ok) throw new Error(found.text || answer.statusText);
  return found;
}

async function lobby() {
  const { games } = await ask("GET", "/api/games");
  const name = el("input", { id: "name", maxlength: 32, autocomplete: "nickname" });
  const game = el("select", { id: "game" }, ...games.map((one) => el("option", { value: one.name }, one.title)));
  const bots = el("select", { id: "bots" }, ...["easy", "medium", "hard", "none"].map((level) =>
    el("option", { value: level, selected: level === "medium" }, level === "none" ? "no bots: friends only" : level + " bots")));
  const open = async () => {
    const sheet = games.find((one) => one.name === game.value);
    const seat = { token: random(32), recovery: random(32) };
    const level = bots.value === "none" ? [] : Array(sheet.usual_players - 1).fill(bots.value);
    try {
      const made = await ask("POST", "/api/tables", {
        game: game.value, id: random(12), name: name.value, bots: level, spectators: true, ...seat,
      });
      localStorage.setItem("ninefold " + made.code, JSON.stringify(seat));
      location.href = made.link;
    } catch (error) { say(error.message, true); }
  };
  house.replaceChildren(
    el("p", {}, el("label", { for: "name" }, "Your name "), name),
    el("p", {}, el("label", { for: "game" }, "Game "), game, " ", el("label", { for: "bots" }, "with "), bots),
    el("p", {}, el("button", { onclick: open }, "Open a table")));
}

async function door() {
  const name = el("input", { id: "name", maxlength: 32, autocomplete: "nickname" });
  const join = async () => {
    const seat = { token: random(32), recovery: random(32) };
    try {
      await ask("POST", `/api/tables/${code}/join`, { id: random(12), name: name.value, ...seat });
      keep(seat);
      connect();
    } catch (error) { say(error.message, true); }
  };
  house.replaceChildren(
    el("p", {}, el("label", { for: "name" }, "Your name "), name, el("button", { onclick: join }, "Sit down")),
    el("p", {}, el("button", { class: "quiet", onclick: () => connect(true) }, "Only watch")));
}

let socket, seq = 0, told = [], waiting = new Map(), attempt = 0, picked = new Set();

function connect(watching = false) {
  const seat = watching ? null : kept();
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
  socket.onopen = () => {
    attempt = 0;
    socket.send(JSON.stringify({ type: "hello", table: code, token: seat ? seat.token : null, since: seq }));
    for (const command of waiting.values()) socket.send(JSON.stringify(command)); // one effect, however often sent
  };
  socket.onmessage = (message) => heard(JSON.parse(message.data));
  socket.onclose = (event) => {
    if (event.code === 1008) return;
    setTimeout(() => connect(watching), Math.min(5000, 100 * 2 ** attempt++));
  };
}

function command(message) {
  const full = { id: random(12), ...message };
  waiting.set(full.id, full);
  picked.clear();
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(full));
}

function heard(message) {
  if (message.type === "answer") {
    waiting.delete(message.id);
    if (!message.ok) say(message.text, true);
  } else if (message.type === "refused") {
    say(message.text, true);
    if (message.error === "bad_token") { localStorage.removeItem("ninefold " + code); door(); }
  } else if (message.type === "update") {
    if (message.seq <= seq) return;
    seq = message.seq;
    const news = message.events.flatMap((event) => event.told);
    told.push(...news.filter((event) => !event.quiet).map((event) => event.text));
    if (news.length) say(told.at(-1) ?? "");
    if (message.table) draw(message); // what was missed comes without: a welcome follows
  } else if (message.type === "welcome") {
    seq = message.seq;
    mine = message.seat;
    draw(message);
  }
}
let mine = null;

function drawCard(card, at, zone, offers) {
  const text = card.gap ? "·" : card.card ?? "▒";
  const usable = offers.some((offer) => offer.zone === zone.id && offer.choices.some((one) => one.cards.includes(at)));
  const key = zone.id + " " + at;
  const node = el(usable ? "button" : "span",
    { class: "card" + (card.up ? "" : " down") + (picked.has(key) ? "" : " quiet"), "aria-pressed": usable ? String(picked.has(key)) : null,
      onclick: usable ? () => { picked.has(key) ? picked.delete(key) : picked.add(key); draw(last); } : () => {} },
    card.up || !card.card ? text : `(${text})`);
  return node;
}

let last = null;
function draw(message) {
  last = message;
  const { table, view, decision } = message;
  const parts = [el("p", {}, `${table.title}, table ${code} `,
    el("a", { href: `/qr/${code}` }, "link as a picture"))];
  const names = table.seats.map((seat, at) => seat.name || `seat ${at + 1}`);
  if (table.status === "lobby" || table.status === "over") {
    parts.push(el("ul", {}, ...names.map((name, at) => el("li", {}, `${name} (${table.seats[at].kind})`))));
    if (mine === 0) parts.push(el("button", { onclick: () => command({ type: "do", what: "start" }) },
      table.status === "over" ? "Play again" : "Start"));
  }
  if (view) parts.push(...drawView(view, decision, names));
  parts.push(el("div", { id: "log" }, ...told.slice(-30).reverse().map((text) => el("div", {}, text))));
  house.replaceChildren(...parts);
}

function drawView(view, decision, names) {
  const offers = view.offers.filter((offer) => offer.kind === "cards");
  const zone = (one) => el("div", { class: "zone" }, one.label + ": ",
    ...(one.dice ? [one.dice.join(" ")] : one.count !== undefined ? [String(one.count), " "] : []),
    ...(one.cards ?? []).flatMap((card, at) => [
      drawCard(card, at, one, offers), ...(one.columns && at % one.columns === one.columns - 1 ? [el("br")] : [])]));
  const play = (move) => command({ type: "move", move, decision });
  const parts = [el("p", {}, view.phase + ". " +
    view.counters.map((one) => `${one.label} ${one.value}${one.goal === null ? "" : " of " + one.goal}`).join(" · "))];
  parts.push(...view.zones.filter((one) => one.owner === null).map(zone));
  names.forEach((name, at) => parts.push(el("div", { class: "seat" + (view.actors.includes(at) ? " acts" : "") },
    el("strong", {}, name + (at === view.seat ? " (you)" : "")), ` ${view.scores[at]} `,
    view.seats[at].status ?? "", ...view.zones.filter((one) => one.owner === at).map(zone))));
  parts.push(el("p", {}, el("strong", {}, view.prompt.replace(/seat (\d+)/g, (_, at) => names[at] ?? at))));
  for (const offer of view.offers) {
    if (offer.kind === "button") parts.push(el("button", { onclick: () => play(offer.move) }, offer.label));
    else if (offer.kind === "number") {
      const field = el("input", { type: "number", min: offer.low, max: offer.high, value: offer.low, "aria-label": offer.label });
      parts.push(field, el("button", { onclick: () => play(`${offer.verb} ${field.value}`) }, offer.label));
    } else {
      const chosen = [...picked].filter((key) => key.startsWith(offer.zone + " ")).map((key) => Number(key.split(" ").at(-1)));
      const few = offer.choices.length <= 12;
      for (const choice of offer.choices) {
        const fits = choice.cards.length === chosen.length && choice.cards.every((at) => chosen.includes(at));
        if (few || fits) parts.push(el("button", { class: fits ? "" : "quiet", onclick: () => play(choice.move) }, choice.label ?? choice.move));
      }
      if (!few) parts.push(el("p", {}, `${offer.label}: pick cards.`));
    }
  }
  return parts;
}

if (!code) lobby();
else {
  const recovered = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (recovered) { keep({ token: recovered }); history.replaceState(null, "", location.pathname); }
  kept() ? connect() : door();
}
