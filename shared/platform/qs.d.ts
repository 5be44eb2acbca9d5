/** The half of `qs` that reads; its types describe the whole only. */
declare module 'qs/lib/parse.js' {
  import { parse } from 'qs';

  export default parse;
}
