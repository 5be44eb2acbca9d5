/** A page that embeds the demo's chat, served beside the console. It shows a developer what visitors see. */
export const DEMO_PAGE = 'demo.html';

/** @param embed the script tag of the widget */
export const demoPage = (embed: string): string => `<!doctype html>
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
      <p>The button in the corner opens the chat with the demo bot, which echoes each message. This tag adds it:</p>
      <pre tabindex="0">${embed.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>
      <p>Paste the tag into a page of your own. The file <code>.parley/local.json</code> has it as <code>widgetEmbed</code>.</p>
    </main>
    ${embed}
  </body>
</html>
`;
