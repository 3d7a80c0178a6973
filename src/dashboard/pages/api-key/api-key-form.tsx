import { Checkbox, Radio, Stack, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Form, getText, SubmitButton } from '../../components/form.tsx';
import type { Secret } from '../../components/secret-reveal.tsx';
import { SecretsDialog } from '../../components/secrets-dialog.tsx';
import { useChanges } from '../../components/use-changes.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { t } from '../../language/texts.ts';
import { type ApiKeyRow, createApiKeyMutation, updateApiKeyMutation } from './api-keys-query.ts';

/** Only users can have `sell`. */
type ApiKeyPermission = Exclude<ApiKeyRow['permissions'][number], 'sell'>;

const permissionTexts: Record<ApiKeyPermission, string> = {
  read: t.apiKey.readAllData,
  write: t.apiKey.createAndCancelCharges,
  refund: t.apiKey.createRefunds,
  transfers: t.apiKey.recordTransfersAndAssign,
  manage: t.apiKey.manageReceivingAccountsPlans,
};
const allPermissions = Object.keys(permissionTexts) as ApiKeyPermission[];
const defaultPermissions: ApiKeyPermission[] = ['read', 'write', 'refund'];

/** The fields that show their own error. */
const fieldPaths = ['name', 'permissions', 'allowedOrigins'];

/** The error if an earlier attempt created the key, but its response was lost. */
const lostSecretText = t.apiKey.theKeyWasCreated;

type ApiKeyFormProps = { opened: boolean; apiKey?: ApiKeyRow; onClose: () => void; onSaved: () => void };

/** Creates a key and shows its secret once, or edits the key `apiKey`. */
export function ApiKeyForm({ opened, apiKey, onClose, onSaved }: ApiKeyFormProps) {
  return (
    <SecretsDialog
      opened={opened}
      onClose={onClose}
      title={apiKey ? t.apiKey.editKey : t.apiKey.newKey}
      createdTitle={t.apiKey.theKeyIsReady}
      onSaved={onSaved}
      form={(onCreated) => <ApiKeyFields apiKey={apiKey} onSaved={onCreated} />}
    />
  );
}

function ApiKeyFields(props: { apiKey: ApiKeyRow | undefined; onSaved: (secrets: Secret[]) => void }) {
  const { apiKey, onSaved } = props;
  const [creating, create] = useMutation(createApiKeyMutation);
  const [updating, update] = useMutation(updateApiKeyMutation);
  const [kind, setKind] = useState<ApiKeyRow['kind']>(apiKey?.kind ?? 'secret');
  const [permissions, setPermissions] = useState<string[]>([...(apiKey?.permissions ?? defaultPermissions)]);
  const [origins, setOrigins] = useState<string[]>([...(apiKey?.allowedOrigins ?? [])]);
  const formState = useFormState(fieldPaths);
  const { getFieldError } = formState;

  const readInput = (form: FormData) => ({
    name: getText(form, 'name'),
    ...(kind === 'secret' ? { permissions: permissions as ApiKeyPermission[] } : { allowedOrigins: origins }),
  });
  const { getChanges } = useChanges(formState.formRef, readInput);
  const submit = async (form: FormData) => {
    const response = apiKey
      ? await update({ input: { id: apiKey.id, ...getChanges(form) } })
      : await create({ input: { kind, ...readInput(form) } });
    if (!formState.handleResult(response)) return;
    const secrets = getApiKeySecrets(response.data);
    const isLost = !apiKey && kind === 'secret' && secrets.length < 2;
    if (isLost) formState.setErrors({ error: lostSecretText });
    else onSaved(secrets);
  };

  return (
    <Form state={formState} onSubmit={submit}>
      <TextInput
        label={t.common.name}
        name="name"
        description={t.apiKey.describesWhatTheKey}
        placeholder={t.apiKey.webShop}
        defaultValue={apiKey?.name ?? ''}
        error={getFieldError('name')}
        maxLength={80}
        required
        withAsterisk={false}
        data-autofocus
      />
      {!apiKey && (
        <Radio.Group
          label={t.common.type}
          value={kind}
          onChange={(value) => setKind(value as ApiKeyRow['kind'])}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="secret" label={t.apiKey.secretKeyForYour} />
            <Radio value="publishable" label={t.apiKey.publishableKeyForCheckout} />
          </Stack>
        </Radio.Group>
      )}
      {kind === 'secret' ? (
        <Checkbox.Group
          label={t.apiKey.permissions}
          value={permissions}
          onChange={setPermissions}
          error={getFieldError('permissions')}
        >
          <Stack gap="xs" mt={6}>
            {allPermissions.map((permission) => (
              <Checkbox key={permission} value={permission} label={permissionTexts[permission]} />
            ))}
          </Stack>
        </Checkbox.Group>
      ) : (
        <TagsInput
          label={t.apiKey.allowedOrigins}
          description={t.apiKey.originsAllowedInReturn}
          value={origins}
          onChange={setOrigins}
          error={getFieldError('allowedOrigins')}
          acceptValueOnBlur
        />
      )}
      <SubmitButton isBusy={creating.fetching || updating.fetching}>
        {apiKey ? t.common.save : t.apiKey.createKey}
      </SubmitButton>
    </Form>
  );
}

/** Returns the parts of a new key that the user must copy. */
export function getApiKeySecrets(
  data: Record<string, { __typename: string; apiKey?: { key: string }; secret?: string | null }> | undefined,
): Secret[] {
  const [result] = Object.values(data ?? {});
  if (!result?.apiKey) return [];
  const { apiKey, secret } = result;
  return [
    { name: t.apiKey.key, copyLabel: t.apiKey.copyKey, value: apiKey.key },
    ...(secret != null ? [{ name: t.apiKey.secret, copyLabel: t.apiKey.copySecret, value: secret }] : []),
  ];
}
