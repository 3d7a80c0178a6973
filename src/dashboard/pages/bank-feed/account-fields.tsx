import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useAccountNames } from '../receiving-account/use-account-names.ts';

export type FeedAccountInput = { receivingAccountId: string; bankAccount: string | null };

/** Edits the receiving accounts of a feed, each with the account as the sender writes it. */
export function AccountFields(props: {
  accounts: FeedAccountInput[];
  onChange: (accounts: FeedAccountInput[]) => void;
  error: string | undefined;
}) {
  const { accounts, onChange, error } = props;
  const names = useAccountNames();
  const update = (index: number, change: Partial<FeedAccountInput>) =>
    onChange(accounts.map((one, i) => (i === index ? { ...one, ...change } : one)));
  const chosen = new Set(accounts.map(({ receivingAccountId }) => receivingAccountId));
  return (
    <Stack gap="sm">
      {accounts.map(({ receivingAccountId, bankAccount }, i) => {
        const number = accounts.length > 1 ? ` ${i + 1}` : '';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an account that is not chosen yet has no ID.
          <Stack key={i} gap="xs">
            <Select
              label={`Receiving account${number}`}
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
              label={`Account${number} as the sender writes it`}
              description={
                i === 0
                  ? 'Leave empty if it is the number of the receiving account. Enter * if every transfer belongs to this account.'
                  : undefined
              }
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
          Add account
        </Button>
        {accounts.length > 1 && (
          <Button variant="default" size="xs" onClick={() => onChange(accounts.slice(0, -1))}>
            Remove account {accounts.length}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
