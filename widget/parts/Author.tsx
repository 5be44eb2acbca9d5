import { isTrusted, safeAddress } from '../addresses.ts';
import type { Person } from '../talk/company.ts';
import { useAround } from './around.ts';

/** Shows a name, with the picture if its origin is trusted, or else the first letter. */
export function Author({ person: { name, pictureUrl } }: { person: Person }) {
  const { mediaOrigins } = useAround();
  const url = safeAddress(pictureUrl);
  return (
    <span class="author">
      {url && isTrusted(url, mediaOrigins) ? (
        <img class="face" src={url} alt="" loading="lazy" referrerpolicy="no-referrer" />
      ) : (
        <span class="face" aria-hidden="true">
          {Array.from(name.trim())[0]?.toUpperCase()}
        </span>
      )}
      <bdi class="name">{name}</bdi>
    </span>
  );
}
