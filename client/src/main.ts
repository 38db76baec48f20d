import { mount } from "svelte";
import App from "./App.svelte";
import "./lib/install.svelte";
import { dress } from "./lib/settings.svelte";
import "./style.css";

dress();

const target = document.getElementById("app");
if (target) mount(App, { target });

if (import.meta.env.PROD) void navigator.serviceWorker?.register("/worker.js").catch(() => undefined);
