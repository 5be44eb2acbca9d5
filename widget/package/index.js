/** Loads the Parley chat widget from an installation. */

/** @type {Promise<void> | undefined} */
let loading;

/** @type {typeof import('./index.d.ts').loadChat} */
export async function loadChat({ scriptUrl, nonce, ...options }) {
  if (typeof document === 'undefined') {
    throw new Error('loadChat requires a browser. Call it after the page was rendered, for example in an effect.');
  }
  loading ??= load(scriptUrl, nonce).catch(error => {
    loading = undefined;
    throw error;
  });
  await loading;
  const { ParleyChat } = window;
  if (!ParleyChat) throw new Error(`${scriptUrl} is not the script of the Parley chat widget.`);
  return ParleyChat.show(options);
}

/**
 * @param {string} scriptUrl
 * @param {string | undefined} nonce
 * @returns {Promise<void>}
 */
function load(scriptUrl, nonce) {
  return new Promise((resolve, reject) => {
    // A script tag of the page has loaded the widget.
    if (window.ParleyChat && document.body) return resolve();
    window.addEventListener('parleychat', () => resolve(), { once: true });
    if (window.ParleyChat) return;
    const script = document.createElement('script');
    script.async = true;
    if (nonce !== undefined) script.nonce = nonce;
    // The script that the page loads may wait for the body, which the event `parleychat` follows.
    script.addEventListener('load', () => document.body && resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`The chat could not be loaded from ${scriptUrl}. The page's script-src must allow this URL.`));
    });
    script.src = trusted(scriptUrl);
    document.head.append(script);
  });
}

/** @typedef {{ createScriptURL(url: string): string }} Policy */
/** @type {Policy | undefined} */
let policy;

/**
 * Pages that require trusted types accept no string as the URL of a script.
 * @param {string} url
 * @returns {string}
 */
function trusted(url) {
  /** @type {{ trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }} */
  const { trustedTypes } = /** @type {never} */ (window);
  if (!trustedTypes) return url;
  policy ??= trustedTypes.createPolicy('parley-widget', { createScriptURL: each => each });
  return policy.createScriptURL(url);
}
