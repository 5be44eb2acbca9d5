import { Anchor, Button, Code, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useParley } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { Entrance } from '../parts/Entrance.tsx';
import { usePageTitle } from '../parts/Page.tsx';
import { Copyable } from '../parts/Small.tsx';
import { chooseWorkspace, isToken, signIn } from '../session/session.ts';

export function SignIn() {
  const [hasInvitation, setHasInvitation] = useState(false);
  usePageTitle('Sign in');
  return (
    <Entrance
      title={hasInvitation ? 'Accept an invitation' : 'Sign in to Parley'}
      foot={
        <Anchor component="button" type="button" size="sm" onClick={() => setHasInvitation(!hasInvitation)}>
          {hasInvitation ? 'I have a token' : 'I have an invitation'}
        </Anchor>
      }
    >
      {hasInvitation ? <AcceptInvitation /> : <TokenForm />}
    </Entrance>
  );
}

function TokenForm() {
  const [token, setToken] = useState('');
  const [fault, setFault] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isToken(token.trim())) signIn(token.trim());
    else setFault('This is not a token. Paste all of it, starting with bp_pat_.');
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label="Personal access token"
          placeholder="bp_pat_…"
          value={token}
          onChange={event => setToken(event.currentTarget.value)}
          error={fault}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
          required
          withAsterisk={false}
        />
        <Button type="submit" fullWidth>
          Sign in
        </Button>
        <Text size="xs" c="dimmed">
          The token stays in this tab until you close it. An operator can also create a sign-in link with{' '}
          <Code>npm run console</Code>.
        </Text>
      </Stack>
    </form>
  );
}

function AcceptInvitation() {
  const parley = useParley();
  const [inviteToken, setInviteToken] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [made, setMade] = useState<{ token: string; workspaceId: string }>();
  const accept = useAction(
    () => parley.acceptInvitation({ inviteToken: inviteToken.trim(), ...(displayName ? { displayName } : {}) }),
    { onDone: setMade },
  );
  if (made) {
    const enter = () => {
      signIn(made.token);
      chooseWorkspace(made.workspaceId);
    };
    return (
      <Stack>
        <Text size="sm">Your account was created. Save this token to sign in with. It is not shown again.</Text>
        <Copyable value={made.token} label="Copy the token" />
        <Button onClick={enter}>I saved the token</Button>
      </Stack>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Invitation"
          placeholder="bp_inv_…"
          value={inviteToken}
          onChange={event => setInviteToken(event.currentTarget.value)}
          required
          withAsterisk={false}
        />
        <TextInput
          label="Your name"
          value={displayName}
          onChange={event => setDisplayName(event.currentTarget.value)}
        />
        <Button type="submit" loading={accept.isPending}>
          Accept
        </Button>
        <Text size="xs" c="dimmed">
          This creates a new account. If you have an account, sign in and join the workspace there.
        </Text>
      </Stack>
    </form>
  );
}
