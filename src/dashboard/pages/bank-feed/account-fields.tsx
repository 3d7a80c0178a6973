import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { t } from '../../language/texts.ts';
import { useAccountNames } from '../receiving-account/use-account-names.ts';

export type FeedAccountInput = { receivingAccountId: string; bankAccount: string | null };

/** Each receiving account has a text field for the account as the sender writes it. */
export function AccountFields(props: {
  accounts: FeedAccountInput[];
  onChange: (accounts: FeedAccountInput[]) => void;
  error: string | undefined;
}) {
  const { accounts, onChange, error } = props;
  const names = useAccountNames();
  const update = (index: number, change: Partial<FeedAccountInput>) =>
    onChange(accounts.map((account, i) => (i === index ? { ...account, ...change } : account)));
  const chosen = new Set(accounts.map(({ receivingAccountId }) => receivingAccountId));
  return (
    <Stack gap="sm">
      {accounts.map(({ receivingAccountId, bankAccount }, i) => {
        const isNumbered = accounts.length > 1;
        const number = i + 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an account that is not chosen yet has no ID.
          <Stack key={i} gap="xs">
            <Select
              label={
                isNumbered
                  ? fillText(t.bankFeed.receivingAccountNumber, { number })
                  : t.bankFeed.receivingAccount
              }
              required
              withAsterisk={false}
              searchable
              data={
                names.data?.filter(({ value }) => value === receivingAccountId || !chosen.has(value)) ?? []
              }
              value={receivingAccountId || null}
              onChange={(value) => update(i, { receivingAccountId: value ?? '' })}
              error={i === 0 ? error : undefined}
              comboboxProps={{ withinPortal: false }}
            />
            <TextInput
              label={
                isNumbered
                  ? fillText(t.bankFeed.accountNumberAsTheSender, { number })
                  : t.bankFeed.accountAsTheSender
              }
              description={i === 0 ? t.bankFeed.leaveEmptyIfIt : undefined}
              value={bankAccount ?? ''}
              onChange={(event) => update(i, { bankAccount: event.currentTarget.value || null })}
            />
          </Stack>
        );
      })}
      <Group gap="sm">
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange([...accounts, { receivingAccountId: '', bankAccount: null }])}
        >
          {t.bankFeed.addAccount}
        </Button>
        {accounts.length > 1 && (
          <Button variant="default" size="xs" onClick={() => onChange(accounts.slice(0, -1))}>
            {fillText(t.bankFeed.removeAccount, { count: accounts.length })}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
