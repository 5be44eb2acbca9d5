/** The script tag that embeds the widget. The console builds the same tag (docs/widget.md#embed-it). */

interface Embed {
  widgetUrl: string;
  /** `{chat base}/{webhookId}` */
  chatUrl: string;
  /** Origins that serve files. Media from other origins would reveal the reader. */
  mediaOrigins: readonly string[];
  takesFiles: boolean;
}

export function widgetTag({ widgetUrl, chatUrl, mediaOrigins, takesFiles }: Embed): string {
  const chatOrigin = new URL(chatUrl).origin;
  const origins = [...new Set(mediaOrigins)].filter(origin => origin !== chatOrigin);
  const attributes = [
    `src="${widgetUrl}"`,
    `data-chat-url="${chatUrl}"`,
    ...(origins.length > 0 ? [`data-media-origins="${origins.join(' ')}"`] : []),
    ...(takesFiles ? ['data-uploads'] : []),
    'async',
  ];
  return `<script\n${attributes.map(each => `  ${each}\n`).join('')}></script>`;
}
