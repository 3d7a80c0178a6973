import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useAct } from '../../parts/use-act.ts';
import { methodsContext } from '../payment-methods.ts';
import { ChangeTerms } from './change-terms.tsx';
import { type AccountDetails, updateAccountMutation } from './receiving-accounts-query.ts';

/** What can be done with an account: change its terms, retire it, take it up again. */
export function AccountActions({ account, onChanged }: { account: AccountDetails; onChanged: () => void }) {
  const { id } = account;
  const [editing, edit] = useDisclosure();
  const update = useAct(updateAccountMutation, onChanged);
  const set = (status: 'active' | 'retired') => update({ input: { id, status } }, methodsContext);
  if (account.status === 'retired') {
    return (
      <ConfirmButton
        label="Take up again"
        title="Take up this account again?"
        onConfirm={() => set('active')}
      >
        <Text size="sm">New charges may ask customers to pay to {account.account} again.</Text>
      </ConfirmButton>
    );
  }
  return (
    <>
      <Button variant="default" onClick={edit.open}>
        Change terms
      </Button>
      <ConfirmButton
        label="Retire"
        title="Retire this account?"
        confirm="Retire account"
        variant="default"
        isDanger
        onConfirm={() => set('retired')}
      >
        <Text size="sm">
          It takes no new charges. Charges that are open on it still complete when their money comes, and its
          transfers and charges stay. If it is the only account of its method, that method is no longer
          offered.
        </Text>
      </ConfirmButton>
      <ChangeTerms opened={editing} account={account} onClose={edit.close} onSaved={onChanged} />
    </>
  );
}
