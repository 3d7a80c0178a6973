import { Text } from '@mantine/core';
import { t } from '../../language/texts.ts';

/** Explains when a transfer is a duplicate, and what to do with the second payment of a customer. */
export function DuplicateExplanation({ canAssign }: { canAssign: boolean }) {
  return (
    <>
      <Text size="sm">{t.transfer.ifAnotherSourceAlready}</Text>
      {canAssign && <Text size="sm">{t.transfer.aSecondPaymentIs}</Text>}
      <Text size="sm">{t.transfer.youCanUndoThis}</Text>
    </>
  );
}
