// Browsers that can install the page say so once, and offer it when they are asked to.
type Offer = Event & { prompt: () => Promise<{ outcome: string }> };

export const installing = $state<{ offer: (() => Promise<void>) | null }>({ offer: null });

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // no banner over the table: it is offered in the settings
  installing.offer = async () => {
    installing.offer = null;
    await (event as Offer).prompt();
  };
});
addEventListener("appinstalled", () => (installing.offer = null));
