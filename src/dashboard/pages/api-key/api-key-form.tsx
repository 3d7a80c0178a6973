import { Checkbox, Radio, Stack, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Form, Submit, textOf } from '../../components/form.tsx';
import { SecretsDialog } from '../../components/secrets-dialog.tsx';
import type { Secret } from '../../components/shown-once.tsx';
import { useOutcome } from '../../components/use-outcome.ts';
import { type ApiKeyRow, createApiKeyMutation, updateApiKeyMutation } from './api-keys-query.ts';

type Permission = ApiKeyRow['permissions'][number];

const permissionTexts: Record<Permission, string> = {
  read: 'Read all data',
  write: 'Create and cancel charges, sessions and links',
  refund: 'Create refunds',
  transfers: 'Record transfers and assign them to charges',
  manage: 'Manage receiving accounts, plans, webhooks, certificates and settings',
};
const allPermissions = Object.keys(permissionTexts) as Permission[];
const usualPermissions: Permission[] = ['read', 'write', 'refund'];

/** Those that show what is wrong with them. */
const fields = ['name', 'permissions', 'allowedOrigins'];

/** Of one that was made at an earlier try, whose answer did not arrive. */
const lostSecret =
  'The key was created by an earlier attempt, but its secret was lost with the response. Close this dialog and rotate the key to get a new one.';

type Props = { opened: boolean; apiKey?: ApiKeyRow; onClose: () => void; onSaved: () => void };

/** The dialog that makes a key, and then shows its secret this once; or that changes one. */
export function ApiKeyForm({ opened, apiKey, onClose, onSaved }: Props) {
  return (
    <SecretsDialog
      opened={opened}
      onClose={onClose}
      title={apiKey ? 'Edit key' : 'New key'}
      madeTitle="The key is ready"
      onSaved={onSaved}
      form={(onMade) => <ApiKeyFields apiKey={apiKey} onSaved={onMade} />}
    />
  );
}

function ApiKeyFields(props: { apiKey: ApiKeyRow | undefined; onSaved: (made: Secret[]) => void }) {
  const { apiKey, onSaved } = props;
  const [creating, create] = useMutation(createApiKeyMutation);
  const [updating, update] = useMutation(updateApiKeyMutation);
  const [kind, setKind] = useState<ApiKeyRow['kind']>(apiKey?.kind ?? 'secret');
  const [permissions, setPermissions] = useState<string[]>([...(apiKey?.permissions ?? usualPermissions)]);
  const [origins, setOrigins] = useState<string[]>([...(apiKey?.allowedOrigins ?? [])]);
  const outcome = useOutcome(fields);
  const { faultOf } = outcome;

  const submit = async (form: FormData) => {
    const name = textOf(form, 'name');
    const may =
      kind === 'secret' ? { permissions: permissions as Permission[] } : { allowedOrigins: origins };
    const answer = apiKey
      ? await update({ input: { id: apiKey.id, name, ...may } })
      : await create({ input: { name, kind, ...may } });
    if (!outcome.take(answer)) return;
    const secrets = secretsOf(answer.data);
    const isLost = !apiKey && kind === 'secret' && secrets.length < 2;
    if (isLost) outcome.say({ refusal: lostSecret });
    else onSaved(secrets);
  };

  return (
    <Form outcome={outcome} onSubmit={submit}>
      <TextInput
        label="Name"
        name="name"
        description="Describes what the key is used for"
        placeholder="Web shop"
        defaultValue={apiKey?.name ?? ''}
        error={faultOf('name')}
        maxLength={80}
        required
        withAsterisk={false}
        data-autofocus
      />
      {!apiKey && (
        <Radio.Group label="Type" value={kind} onChange={(value) => setKind(value as ApiKeyRow['kind'])}>
          <Stack gap="xs" mt={6}>
            <Radio value="secret" label="Secret key, for your server" />
            <Radio value="publishable" label="Publishable key, for checkout URLs" />
          </Stack>
        </Radio.Group>
      )}
      {kind === 'secret' ? (
        <Checkbox.Group
          label="Permissions"
          value={permissions}
          onChange={setPermissions}
          error={faultOf('permissions')}
        >
          <Stack gap="xs" mt={6}>
            {allPermissions.map((permission) => (
              <Checkbox key={permission} value={permission} label={permissionTexts[permission]} />
            ))}
          </Stack>
        </Checkbox.Group>
      ) : (
        <TagsInput
          label="Allowed origins"
          description="Origins allowed in return and callback URLs, such as https://shop.example.com. Leave empty to allow any."
          value={origins}
          onChange={setOrigins}
          error={faultOf('allowedOrigins')}
          acceptValueOnBlur
        />
      )}
      <Submit isBusy={creating.fetching || updating.fetching}>{apiKey ? 'Save' : 'Create key'}</Submit>
    </Form>
  );
}

/** What to carry away of a key that was made. */
export function secretsOf(
  data: Record<string, { __typename: string; apiKey?: { key: string }; secret?: string | null }> | undefined,
): Secret[] {
  const [result] = Object.values(data ?? {});
  if (!result?.apiKey) return [];
  const { apiKey, secret } = result;
  return [{ name: 'Key', value: apiKey.key }, ...(secret != null ? [{ name: 'Secret', value: secret }] : [])];
}
