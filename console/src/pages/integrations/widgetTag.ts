/** Returns the script tag that embeds the widget for an installation. */

interface Tagged {
  /** Base URL of the console, which also serves the widget. */
  page: string;
  platform: { apiUrl: string; chatUrl: string; contentOrigins: string[] };
  chat: { name: string; webhookId: string; configuration?: Record<string, unknown> | undefined };
}

/** Origins that serve files. Media from other origins would reveal the reader. */
const originsOf = ({ apiUrl, chatUrl, contentOrigins }: Tagged['platform']): string[] => {
  const chat = new URL(chatUrl).origin;
  const all = [apiUrl, ...contentOrigins].map(url => new URL(url).origin);
  return [...new Set(all)].filter(origin => origin !== chat);
};

export function widgetTag({ page, platform, chat }: Tagged): string {
  const { name, webhookId, configuration = {} } = chat;
  const isExtended = /(^|\/)webchat$/.test(name) || configuration.payloadExtensions === true;
  const takesFiles = typeof configuration.fileUploads === 'boolean' ? configuration.fileUploads : isExtended;
  const origins = originsOf(platform);
  const attributes = [
    `src="${new URL('widget.js', page).href}"`,
    `data-chat-url="${platform.chatUrl}/${webhookId}"`,
    ...(origins.length > 0 ? [`data-media-origins="${origins.join(' ')}"`] : []),
    ...(takesFiles ? ['data-uploads'] : []),
    'async',
  ];
  return `<script\n${attributes.map(each => `  ${each}\n`).join('')}></script>`;
}
