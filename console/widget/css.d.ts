/** The build makes a style sheet a text. */
declare module '*.css' {
  const text: string;
  export default text;
}
