import { Checkbox, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
import { sortByCountry } from '../../../method/sort-by-country.ts';
import { BackLink } from '../../components/back-link.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { getText, handleSubmit, SubmitButton } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { Muted } from '../../components/muted.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { capitalize, formatMethod } from '../../format/labels.ts';
import type { FieldErrors } from '../../graphql/errors.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission } from '../../viewer.ts';
import { guessCountry, methodsContext } from '../payment-methods.ts';
import { BankSelect } from './bank-select.tsx';
import { LimitFields, limitFieldPaths, readLimits } from './limit-fields.tsx';
import { QrCodeField } from './qr-code-field.tsx';
import {
  type AccountField,
  type AccountType,
  accountTypesQuery,
  type CreateAccountInput,
  createAccountMutation,
} from './receiving-accounts-query.ts';
import { SameBankAccountSelect } from './same-bank-account-select.tsx';
import { translateFormText } from './translate-form-text.ts';

const liveText = isMailDelivered
  ? t.receivingAccount.customersWillBeAsked
  : t.receivingAccount.customersPayRealMoney;

/** The fields depend on the payment method and the account type. */
export default function NewReceivingAccountPage() {
  const { mode } = useMode();
  const canManage = useHasPermission('manage');
  const query = useCachedQuery(accountTypesQuery);
  return (
    <>
      <BackLink to="/receiving-accounts">{t.common.receivingAccounts}</BackLink>
      <PageHeader
        title={t.receivingAccount.newReceivingAccount}
        text={mode === 'live' ? liveText : t.receivingAccount.aTestAccountFor}
      />
      {canManage ? (
        <Loaded query={query} lines={8}>
          {({ receivingAccountForms, viewer }) => (
            <AccountForm
              accountTypes={sortByCountry(receivingAccountForms, guessCountry(viewer?.merchant?.country))}
            />
          )}
        </Loaded>
      ) : (
        <EmptyState title={t.receivingAccount.youCantAdd}>{t.receivingAccount.whoCanAdd}</EmptyState>
      )}
    </>
  );
}

function AccountForm({ accountTypes }: { accountTypes: readonly AccountType[] }) {
  const [{ fetching }, create] = useMutation(createAccountMutation);
  const [, navigate] = useLocation();
  const [accountType, setAccountType] = useState(accountTypes[0] as AccountType);
  const [sameBankAccountAs, setSameBankAccountAs] = useState<string | null>(null);
  const {
    formRef: ref,
    error,
    fieldErrors,
    read,
    handleResult,
    clearErrors,
  } = useFormState(getFieldPaths(accountType));
  const selectAccountType = (selected: AccountType | undefined) => {
    if (!selected) return;
    setAccountType(selected);
    if (selected.currency !== accountType.currency) setSameBankAccountAs(null);
    clearErrors();
  };

  const fillHolder = (holder: string) => {
    const input = ref.current?.elements.namedItem('accountName') as HTMLInputElement | null;
    if (input?.value === '') input.value = holder;
  };

  const submit = handleSubmit(async (form) => {
    const limits = read(() => readLimits(form, accountType.currency));
    if (!limits) return;
    const details = { [accountType.inputField]: readDetails(form, accountType) };
    const input = {
      ...limits,
      details,
      accountName: getText(form, 'accountName'),
      ...(sameBankAccountAs !== null && { sameBankAccountAs }),
      // If the field is omitted, the service enables unique amounts for accounts whose payments carry no reference.
      ...(accountType.mayLackReference && !form.has('uniqueAmounts') && { maxAmountOffset: null }),
    } as CreateAccountInput;
    const response = await create({ input }, methodsContext);
    handleResult(response);
    const result = response.data?.createReceivingAccount;
    if (result?.__typename === 'CreateReceivingAccountSuccess') {
      navigate(`/receiving-accounts/${result.receivingAccount.id}`);
    }
  });

  return (
    <form onSubmit={submit} ref={ref}>
      <Stack gap="lg" maw={720}>
        <Section title={t.receivingAccount.accountDetails}>
          <Stack>
            <AccountTypeSelect
              accountTypes={accountTypes}
              accountType={accountType}
              onChoose={selectAccountType}
            />
            <DetailsFields
              key={`${accountType.inputField} ${accountType.description}`}
              accountType={accountType}
              fieldErrors={fieldErrors}
              onHolder={fillHolder}
            />
            <TextInput
              label={t.receivingAccount.holder}
              description={t.receivingAccount.shownToCustomersTheir}
              name="accountName"
              required
              withAsterisk={false}
              error={fieldErrors.accountName}
            />
            <SameBankAccountSelect
              currency={accountType.currency}
              value={sameBankAccountAs}
              onChange={setSameBankAccountAs}
              error={fieldErrors.sameBankAccountAs}
            />
          </Stack>
        </Section>
        <Section title={t.receivingAccount.limitsAndTraffic}>
          <LimitFields key={accountType.currency} currency={accountType.currency} fieldErrors={fieldErrors} />
          {accountType.mayLackReference && (
            <Checkbox
              mt="md"
              name="uniqueAmounts"
              value="on"
              defaultChecked
              label={t.receivingAccount.matchPaymentsByUniqueAmounts}
              description={t.receivingAccount.paymentsCanArriveWithout}
            />
          )}
        </Section>
        <ErrorAlert text={error} />
        <SubmitButton isBusy={fetching}>{t.receivingAccount.addAccount}</SubmitButton>
      </Stack>
    </form>
  );
}

function getFieldPaths(accountType: AccountType): string[] {
  return [
    ...accountType.fields.map(({ name }) => `details/${accountType.inputField}/${name}`),
    'accountName',
    'sameBankAccountAs',
    ...limitFieldPaths,
  ];
}

/** Selects the payment method and, if the method has several, the account type. */
function AccountTypeSelect(props: {
  accountTypes: readonly AccountType[];
  accountType: AccountType;
  onChoose: (accountType: AccountType | undefined) => void;
}) {
  const { accountTypes, accountType, onChoose } = props;
  const methods = [...new Map(accountTypes.map((item) => [item.method, item])).values()];
  const sameMethodTypes = accountTypes.filter(({ method }) => method === accountType.method);
  return (
    <>
      <Select
        label={t.receivingAccount.paymentMethod}
        description={fillText(t.receivingAccount.in, { currency: accountType.currency })}
        data={methods.map(({ method, country }) => ({
          value: method,
          label: `${formatMethod(method)} · ${country}`,
        }))}
        value={accountType.method}
        onChange={(value) => onChoose(accountTypes.find(({ method }) => method === value))}
        allowDeselect={false}
        searchable
      />
      {accountType.method === 'duit_now' && <Muted>{t.receivingAccount.noBankTransferInMalaysia}</Muted>}
      {sameMethodTypes.length > 1 ? (
        <Radio.Group
          label={t.receivingAccount.accountType}
          value={accountType.description}
          onChange={(value) => onChoose(sameMethodTypes.find(({ description }) => description === value))}
        >
          <Stack gap="xs" mt="xs">
            {sameMethodTypes.map(({ description }) => (
              <Radio key={description} value={description} label={translateFormText(description)} />
            ))}
          </Stack>
        </Radio.Group>
      ) : (
        <Text size="sm" c="var(--causeway-muted)">
          {translateFormText(accountType.description)}
        </Text>
      )}
    </>
  );
}

type DetailsFieldsProps = {
  accountType: AccountType;
  fieldErrors: FieldErrors;
  /** Called with the holder that a decoded QR code names. */
  onHolder: (holder: string) => void;
};

function DetailsFields({ accountType, fieldErrors, onHolder }: DetailsFieldsProps) {
  const [isOtherBank, setOtherBank] = useState(false);
  const bankField = accountType.fields.find(({ banks }) => banks.length > 0);
  const getError = ({ name }: AccountField) => fieldErrors[`details/${accountType.inputField}/${name}`];
  // A bank of the list has a name, so its code and name are not typed.
  const typedFields =
    bankField && !isOtherBank
      ? accountType.fields.filter((field) => field !== bankField && field.name !== 'bank')
      : accountType.fields;
  return (
    <>
      {bankField && (
        <BankSelect
          field={bankField}
          error={isOtherBank ? undefined : getError(bankField)}
          onOther={setOtherBank}
        />
      )}
      {typedFields.map((field) => {
        const { label, hint } = toLabelAndHint(field);
        const fieldProps = {
          name: `details.${field.name}`,
          label,
          description: hint,
          required: field.isRequired,
          withAsterisk: false,
          error: getError(field),
          autoComplete: 'off',
          spellCheck: false,
        };
        return field.isQrCode ? (
          <QrCodeField key={field.name} {...fieldProps} onHolder={onHolder} />
        ) : (
          <TextInput key={field.name} {...fieldProps} placeholder={field.example} />
        );
      })}
    </>
  );
}

/**
 * Splits a description, such as `FPS identifier: 7 or 9 digits`, into the label before the colon and the hint after
 * it.
 */
function toLabelAndHint({ description, isRequired }: AccountField): {
  label: string;
  hint: string | undefined;
} {
  const [label = '', ...rest] = translateFormText(description).split(': ');
  const explanation = rest.join(': ');
  const hint = explanation === '' ? undefined : capitalize(explanation);
  return { label: isRequired ? label : fillText(t.receivingAccount.optional, { label }), hint };
}

function readDetails(form: FormData, accountType: AccountType): Record<string, string> {
  const entries = accountType.fields.map(({ name }) => [name, getText(form, `details.${name}`)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
