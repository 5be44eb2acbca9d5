/**
 * The script that a page embeds: `<script src="…/widget.js" data-chat-url="…/{webhookId}" async></script>`. It adds the
 * chat and its API `window.ParleyChat`, then dispatches `parleychat` on the window.
 */
import { Chat } from './chat.tsx';
import { readOptions } from './options.ts';
import type { ChatOptions, ParleyChat } from './package/index.d.ts';

const { currentScript } = document;
const api: ParleyChat = {
  show: options => {
    readOptions(options);
    api.chat?.remove();
    api.chat = new Chat(options);
    return api.chat;
  },
};

function begin(): void {
  const dataset = currentScript instanceof HTMLElement ? { ...currentScript.dataset } : {};
  try {
    // A tag without a URL shows no chat until `show` is called.
    if (dataset.chatUrl !== undefined) api.show(dataset as Record<string, string> & ChatOptions);
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the only place where a developer looks
    console.error(`Parley chat: ${(error as Error).message}`);
  }
  dispatchEvent(new CustomEvent('parleychat', { detail: api }));
}

// Ignores a second tag of the page.
if (!window.ParleyChat) {
  window.ParleyChat = api;
  if (document.body) begin();
  else addEventListener('DOMContentLoaded', begin, { once: true });
}
