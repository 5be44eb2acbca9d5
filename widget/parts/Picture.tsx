import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface PictureProps {
  src: string;
  class: string;
  /** Shown if the picture cannot be loaded, for example because the page's policy forbids it. */
  children?: ComponentChildren;
}

/** Shows a decorative picture of an option. */
export function Picture({ src, class: name, children }: PictureProps) {
  const [failed, setFailed] = useState<string>();
  if (failed === src) return <>{children}</>;
  return <img class={name} src={src} alt="" referrerpolicy="no-referrer" onError={() => setFailed(src)} />;
}
