import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { rowButtonProps } from '../../components/confirm-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getText, SubmitButton } from '../../components/form.tsx';
import { Muted } from '../../components/muted.tsx';
import { useChanges } from '../../components/use-changes.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { parseFieldTime, toFieldTime } from '../../format/moment.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
import { type CheckoutLinkRow, checkoutLinkRowFields, getLinkName } from './checkout-link-row.ts';

/** Changes the name and the expiry of a link. */
export function EditLinkButton({ link }: { link: CheckoutLinkRow }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button {...rowButtonProps} onClick={open}>
        {t.common.edit}
      </Button>
      <Dialog
        opened={opened}
        onClose={close}
        title={fillText(t.checkoutLink.editThisLink, { name: getLinkName(link) })}
      >
        <EditLinkForm link={link} onSaved={close} />
      </Dialog>
    </>
  );
}

const fieldPaths = ['name', 'expiresAt'];

function EditLinkForm({ link, onSaved }: { link: CheckoutLinkRow; onSaved: () => void }) {
  const [{ fetching }, update] = useMutation(updateCheckoutLinkMutation);
  const formState = useFormState(fieldPaths);
  const { getChanges } = useChanges(formState.formRef, (form) => {
    const expiresAt = getText(form, 'expiresAt');
    return {
      name: getText(form, 'name') || null,
      expiresAt: expiresAt === '' ? null : (parseFieldTime(expiresAt)?.toISOString() ?? null),
    };
  });
  const submit = async (form: FormData) => {
    const changes = getChanges(form);
    if (formState.handleResult(await update({ input: { id: link.id, ...changes } }))) onSaved();
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <TextInput
        label={t.common.name}
        description={t.checkoutLink.shownToYourTeam}
        name="name"
        maxLength={100}
        defaultValue={link.name ?? ''}
        error={formState.fieldErrors.name}
        data-autofocus
      />
      <TextInput
        label={t.common.expires}
        description={t.checkoutLink.customersCantPayBy}
        name="expiresAt"
        type="datetime-local"
        defaultValue={link.expiresAt === null ? '' : toFieldTime(new Date(link.expiresAt))}
        error={formState.fieldErrors.expiresAt}
      />
      <Muted>{t.checkoutLink.otherDetailsCantBeChanged}</Muted>
      <SubmitButton isBusy={fetching}>{t.common.save}</SubmitButton>
    </Form>
  );
}

const updateCheckoutLinkMutation = graphql(
  `
    mutation UpdateCheckoutLink($input: UpdateCheckoutLinkInput!) {
      updateCheckoutLink(input: $input) {
        __typename
        ... on UpdateCheckoutLinkSuccess {
          checkoutLink {
            ...CheckoutLinkRow
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [checkoutLinkRowFields, userErrorFields],
);
