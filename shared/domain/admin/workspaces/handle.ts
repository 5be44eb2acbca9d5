import * as z from 'zod/mini';

export const handle = () =>
  z.string().check(
    z.regex(/^[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$/, {
      error: 'Must have 3 to 50 characters of a-z, 0-9 and -, and start and end with a letter or digit',
    }),
  );
