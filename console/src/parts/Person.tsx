import { useState } from 'react';
import { Monogram } from './Monogram.tsx';
import { isOurs } from './media.ts';

interface PersonProps {
  name: string;
  id: string;
  pictureUrl?: string | undefined;
  size?: number;
  /** Square for bots. */
  isSquare?: boolean;
}

/** The picture of a person, or their initials. Pictures on other servers are not loaded. */
export function Person({ name, id, pictureUrl, size = 28, isSquare = false }: PersonProps) {
  const [isBroken, setBroken] = useState(false);
  if (!pictureUrl || isBroken || !isOurs(pictureUrl))
    return <Monogram name={name} id={id} size={size} isSquare={isSquare} />;
  return (
    <img
      src={pictureUrl}
      alt=""
      width={size}
      height={size}
      style={{ flex: 'none', borderRadius: '50%', objectFit: 'cover' }}
      onError={() => setBroken(true)}
    />
  );
}
