import { Center } from '@mantine/core';
import type { List } from '../../api/useList.ts';
import { conversation } from '../../messages/en/conversation.ts';
import { translator } from '../../messages/translate.ts';
import { LoadMore } from '../../parts/States.tsx';

const t = translator('conversation', conversation);

/** Button that loads the messages before the first loaded one. */
export const EarlierMessages = ({ list }: { list: List<unknown> }) =>
  list.hasMore && (
    <Center>
      <LoadMore list={list} size="xs">
        {t('earlier')}
      </LoadMore>
    </Center>
  );
