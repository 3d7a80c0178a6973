import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { CopyText } from '../../components/copy-text.tsx';
import { CreateDialog } from '../../components/create-dialog.tsx';
import {
  type CustomerLocale,
  customerLanguages,
  getLocalLanguage,
  toLanguageTag,
} from '../../components/customer-languages.ts';
import { Form, getText, SubmitButton } from '../../components/form.tsx';
import { LinkButtons, LinkCode } from '../../components/link-sharing.tsx';
import { useFocusOnMount } from '../../components/use-focus-on-mount.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { t } from '../../language/texts.ts';
import { CustomerFields, readCustomer } from '../checkout-terms/customer-fields.tsx';
import { useMerchantCountry } from '../payment-methods.ts';
import type { PlanRow } from './plan-row.ts';
import { createSubscriptionLinkMutation } from './plans-query.ts';

/** The fields that show their own error. */
const linkFieldPaths = ['customer', 'notifyPayload', 'redirectUrl'];

export function NewSubscriptionLink({ plan }: { plan: PlanRow }) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button onClick={dialog.open}>{t.subscriptionPlan.newLink}</Button>
      <CreateDialog<string>
        opened={opened}
        onClose={dialog.close}
        title={fillText(t.subscriptionPlan.linkTo, { name: plan.name })}
        createdTitle={t.subscriptionPlan.theLinkIsReady}
        form={(onCreated) => <LinkForm planId={plan.id} onCreated={onCreated} />}
      >
        {(url, close) => <EnrolmentLink url={url} planName={plan.name} onClose={close} />}
      </CreateDialog>
    </>
  );
}

function LinkForm({ planId, onCreated }: { planId: string; onCreated: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createSubscriptionLinkMutation);
  const formState = useFormState(linkFieldPaths);
  const { getFieldError } = formState;
  const submit = async (form: FormData) => {
    const customer = readCustomer(form);
    const notifyPayload = getText(form, 'notifyPayload');
    const redirectUrl = getText(form, 'redirectUrl');
    const response = await create({
      input: {
        subscriptionPlanId: planId,
        ...(customer && { customer }),
        ...(notifyPayload && { notifyPayload }),
        ...(redirectUrl && { redirectUrl }),
      },
    });
    formState.handleResult(response);
    const result = response.data?.createSubscriptionLink;
    if (result?.__typename === 'CreateSubscriptionLinkSuccess') onCreated(result.url);
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Text size="sm">{t.subscriptionPlan.anyNumberOfCustomers}</Text>
      <CustomerFields
        description={t.subscriptionPlan.prefilledForTheCustomer}
        fieldErrors={formState.fieldErrors}
        hasAutofocus
      />
      <TextInput
        label={t.checkoutTerms.orderNumberOrReference}
        description={t.subscriptionPlan.includedInNotificationsOf}
        name="notifyPayload"
        maxLength={4096}
        error={getFieldError('notifyPayload')}
      />
      <TextInput
        label={t.common.returnUrl}
        description={t.subscriptionPlan.openedByTheButton}
        name="redirectUrl"
        type="url"
        error={getFieldError('redirectUrl')}
      />
      <SubmitButton isBusy={fetching}>{t.subscriptionPlan.createLink}</SubmitButton>
    </Form>
  );
}

/** The new link to a plan, in the language of the merchant's country or in a chosen one. */
function EnrolmentLink(props: { url: string; planName: string; onClose: () => void }) {
  const { url, planName, onClose } = props;
  const localLanguage = getLocalLanguage(useMerchantCountry());
  const [chosenLocale, setLocale] = useState<CustomerLocale | ''>();
  const locale = chosenLocale ?? localLanguage;
  const copyButton = useFocusOnMount<HTMLButtonElement>();
  const localizedUrl = addLanguage(url, locale);
  return (
    <Stack>
      <NativeSelect
        label={t.checkoutLink.languageOfTheCustomers}
        value={locale}
        onChange={(event) => setLocale(event.currentTarget.value as CustomerLocale | '')}
        data={[{ value: '', label: t.subscriptionPlan.languageOfTheDevice }, ...customerLanguages]}
      />
      <CopyText text={localizedUrl} label={t.components.copyUrl} />
      <LinkButtons url={localizedUrl} title={planName} copyRef={copyButton} />
      <LinkCode url={localizedUrl} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t.common.done}
        </Button>
      </Group>
    </Stack>
  );
}

function addLanguage(link: string, locale: CustomerLocale | ''): string {
  if (locale === '') return link;
  const url = new URL(link);
  url.searchParams.set('lang', toLanguageTag(locale));
  return url.href;
}
