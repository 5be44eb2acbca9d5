import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { session } from '../messages/en/session.ts';
import { translator } from '../messages/translate.ts';
import { invitationIn, showInvitation } from '../session/invitation.ts';

const t = translator('session', session);

/** Opens an invitation whose link or code is pasted. */
export function PasteInvitation({ isCompact = false }: { isCompact?: boolean }) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = invitationIn(text);
    setFault(code ? '' : t('noInvitation'));
    if (code) showInvitation(code);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={isCompact ? 'xs' : undefined}>
        <TextInput
          label={t('invitation')}
          placeholder={t('invitationLink')}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          error={fault}
          required
          withAsterisk={false}
        />
        <Button type="submit" {...(isCompact ? { variant: 'default' } : {})}>
          {t('openInvitation')}
        </Button>
      </Stack>
    </form>
  );
}
