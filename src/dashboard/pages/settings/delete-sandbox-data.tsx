import { Checkbox, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';

const deleteSandboxDataMutation = graphql(
  `
    mutation DeleteSandboxData {
      deleteSandboxData {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

/** A button for owners in the sandbox. Afterwards, Home loads again, because almost all loaded data is obsolete. */
export function DeleteSandboxDataButton() {
  const deleteData = useMutationAction(deleteSandboxDataMutation, () => window.location.assign('/dashboard'));
  return (
    <ConfirmButton
      label={t.settings.deleteSandboxData}
      title={t.settings.deleteAllSandboxData}
      variant="default"
      isDanger
      onConfirm={() => deleteData({})}
    >
      <Text size="sm">{t.settings.sandboxDataDeleted}</Text>
      <Text size="sm">{t.settings.sandboxDataKept}</Text>
      <Checkbox label={t.settings.thisCantBeUndone} required />
    </ConfirmButton>
  );
}
