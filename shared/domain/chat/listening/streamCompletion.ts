/**
 * Returns the signal that ends a stream, which precedes the stream's final message: a bot message with `streamId` in
 * its metadata. Returns undefined for every other signal.
 * @param text a signal of the chat API
 */
export function streamCompletion(text: string): string | undefined {
  // Most messages belong to no stream and are not parsed.
  if (!text.includes('"streamId"')) return undefined;
  const { type, data } = JSON.parse(text);
  const { isBot, ...message } = data;
  const streamId = message.metadata?.streamId;
  if (type !== 'message_created' || !isBot || typeof streamId !== 'string' || streamId === '') return undefined;
  return JSON.stringify({ type: 'message_stream_complete', data: { streamId, message } });
}
