import { Alert, Group, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatMethod } from '../../format/labels.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { methodsContext } from '../payment-methods.ts';
import { activeAccountsQuery, updateAccountMutation } from './receiving-accounts-query.ts';

type DemoAccount = { id: string; method: string; account: string };

/** Warns of demo accounts that still receive payments beside the merchant's own accounts of the same method. */
export function DemoAccountsAlert({ onChanged }: { onChanged: () => void }) {
  const canManage = useHasPermission('manage');
  const query = useCachedQuery(activeAccountsQuery, {});
  const accounts = query.data?.receivingAccounts.nodes ?? [];
  const ownMethods = new Set(accounts.filter(({ isDemo }) => !isDemo).map(({ method }) => method));
  const demoAccounts = accounts.filter(({ isDemo, method }) => isDemo && ownMethods.has(method));
  if (demoAccounts.length === 0) return null;
  const change = () => {
    query.refresh();
    onChanged();
  };
  return (
    <Alert color="amber" variant="light" title={t.receivingAccount.demoAccountsStillReceive} mb="lg">
      {demoAccounts.map((account) => (
        <DemoAccountLine key={account.id} account={account} canManage={canManage} onChanged={change} />
      ))}
    </Alert>
  );
}

type DemoAccountLineProps = { account: DemoAccount; canManage: boolean; onChanged: () => void };

function DemoAccountLine({ account, canManage, onChanged }: DemoAccountLineProps) {
  const update = useMutationAction(updateAccountMutation, onChanged);
  const method = formatMethod(account.method);
  return (
    <Group justify="space-between" gap="sm" py={4}>
      <Text size="sm">
        {fillText(t.receivingAccount.someCustomersAreAsked, { method, account: account.account })}
      </Text>
      {canManage && (
        <ConfirmButton
          label={t.receivingAccount.deactivateDemoAccount}
          name={fillText(t.receivingAccount.deactivateTheDemoAccount, { method, account: account.account })}
          title={t.receivingAccount.deactivateThisAccount}
          confirmLabel={t.receivingAccount.deactivateAccount}
          variant="default"
          size="xs"
          onConfirm={() => update({ input: { id: account.id, status: 'retired' } }, methodsContext)}
        >
          <Text size="sm">{t.receivingAccount.itWontBeUsed}</Text>
        </ConfirmButton>
      )}
    </Group>
  );
}
