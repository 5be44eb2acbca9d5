export const startOfBytes = (text: string, bytes: number) => {
  if (text.length * 3 <= bytes) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
};
