export type Texts = Readonly<Record<string, string>>;

/** Type of a translation, with the keys of the English texts. */
export type Translated<English extends Texts> = { readonly [Key in keyof English]: string };
