/**
 * The script that a page embeds: `<script src="…/widget.js" data-chat-url="…/{webhookId}" async></script>`. It puts the
 * chat into the page and its API into `window.ParleyChat`, and then says `parleychat` to the window.
 */
import { Chat } from './chat.tsx';
import { readOptions } from './options.ts';

interface ParleyChat {
  /** The chat of the tag, or the one that was put there last. */
  chat?: Chat;
  /** Puts a chat into the page, in the place of the one that is there. @throws Error for options that make none */
  show(options: Record<string, string | undefined>): Chat;
}

const { currentScript } = document;
const api: ParleyChat = {
  show: options => {
    const read = readOptions(options);
    api.chat?.remove();
    api.chat = new Chat(read);
    return api.chat;
  },
};

function begin(): void {
  const dataset = currentScript instanceof HTMLElement ? { ...currentScript.dataset } : {};
  try {
    // A tag without an address waits for the page to call `show`.
    if (dataset.chatUrl !== undefined) api.show(dataset);
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the only place where a developer looks
    console.error(`Parley chat: ${(error as Error).message}`);
  }
  dispatchEvent(new CustomEvent('parleychat', { detail: api }));
}

const page = window as { ParleyChat?: ParleyChat };
// A page that has the tag twice has one chat.
if (!page.ParleyChat) {
  page.ParleyChat = api;
  if (document.body) begin();
  else addEventListener('DOMContentLoaded', begin, { once: true });
}
