/** A page that embeds the chat of the demo shop, served beside the console. It shows a developer what visitors see. */
export const DEMO_PAGE = 'demo.html';
export const DEMO_SCRIPT = 'demo.js';

const OPTIONS = ['data-title="Demo shop"', 'data-greeting="Hello! I track orders and answer questions about returns."'];

/** @param embed the script tag of the widget, to which the page adds a title and a greeting */
export function demoPage(embed: string): string {
  const tag = embed.replace(/^ {2}async$/m, `${OPTIONS.map(each => `  ${each}\n`).join('')}  async`);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Parley demo shop</title>
    <style>
      body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1.1rem/1.6 system-ui, sans-serif; }
      pre { padding: 1rem; overflow-x: auto; border: 1px solid; border-radius: 8px; font-size: 0.9rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>Demo shop</h1>
      <p>The button in the corner opens the chat. Try this:</p>
      <ol>
        <li>Choose “Track an order” and enter 1001. The bot reads a table.</li>
        <li>Ask “Do you deliver abroad?” The bot searches files by meaning.</li>
        <li>Choose “Talk to a person”. Open <a id="console" href="./" target="_blank">the console</a> in a second tab,
          and take over the conversation in the inbox of “Demo shop”.</li>
      </ol>
      <p>The bot has about 60 lines: <code>infra/local/shop/shopBot.ts</code>. This tag adds its chat to a page:</p>
      <pre tabindex="0">${tag.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>
      <p>Paste the tag into a page of your own. The file <code>.parley/local.json</code> has it without
        title and greeting as <code>widgetEmbed</code>.</p>
    </main>
    <script src="${DEMO_SCRIPT}"></script>
    ${tag}
  </body>
</html>
`;
}

/** Moves the one-time sign-in of the page's address to the link to the console, which can be used once. */
export const demoScript = (): string => `
const link = document.getElementById('console');
const take = () => { link.href = './' + location.hash; };
take();
addEventListener('hashchange', take);
link.addEventListener('click', event => {
  event.preventDefault();
  open(link.href, '_blank', 'noopener');
  history.replaceState(null, '', location.pathname + location.search);
  take();
});
`;
