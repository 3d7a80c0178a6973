import { Fieldset, SimpleGrid, Stack, Switch, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Submit, sent, textOf } from '../../components/form.tsx';
import { Refused } from '../../components/refused.tsx';
import { Section } from '../../components/section.tsx';
import { TimeZoneChoice } from '../../components/time-zone-choice.tsx';
import { useChanges } from '../../components/use-changes.ts';
import { type Outcome, useOutcome } from '../../components/use-outcome.ts';
import { showTimesIn } from '../../format/moment.ts';
import { percentToShare, shareToPercent } from '../../format/share.ts';
import { plainWhole, readAs } from '../../format/written-number.ts';
import { useMethodName } from '../payment-methods.ts';
import { type Settings, type SettingsInput, updateSettingsMutation } from './settings-query.ts';

/** Those that show what is wrong with them. */
const fields = [
  'timeZone',
  'postalAddress',
  'markup',
  'rateAgeDays',
  'underpaymentTolerance',
  'redirectSchemes',
  'phoneCountries',
  'paymentWindows',
  'reauthenticationMinutes',
];

/** All settings in one form: those that were changed are saved together, each fault beside its field. */
export function SettingsForm({ settings, isOwner }: { settings: Settings; isOwner: boolean }) {
  const [{ fetching }, update] = useMutation(updateSettingsMutation);
  const [timeZone, setTimeZone] = useState(settings.timeZone);
  const [secureMode, setSecureMode] = useState(settings.secureMode);
  const [requireTwoFactor, setRequireTwoFactor] = useState(settings.requireTwoFactor);
  const [redirectSchemes, setSchemes] = useState<string[]>([...settings.redirectSchemes]);
  const [phoneCountries, setCountries] = useState<string[]>([...settings.phoneCountries]);
  const [isSaved, setSaved] = useState(false);
  const { form, refusal, faultOf, read, take } = useOutcome(fields);

  const { changesIn, saved } = useChanges(form, (data): SettingsInput => {
    const lists = { redirectSchemes, phoneCountries: phoneCountries.map((country) => country.toUpperCase()) };
    return { ...readForm(data), timeZone, secureMode, requireTwoFactor, ...lists };
  });
  const submit = sent(async (data) => {
    const input = read(() => changesIn(data));
    if (!input) return;
    const isTaken = take(await update({ input }));
    if (isTaken) saved(data);
    if (isTaken && input.timeZone) showTimesIn(input.timeZone);
    setSaved(isTaken);
  });

  return (
    <form onSubmit={submit} ref={form} onChange={() => setSaved(false)}>
      <Fieldset disabled={!isOwner}>
        <Stack gap="lg">
          <Money settings={settings} faultOf={faultOf} />
          <Section title="Payment windows">
            <PaymentWindows windows={settings.paymentWindows} fault={faultOf('paymentWindows')} />
          </Section>
          <Section title="Invoices">
            <Textarea
              label="Postal address"
              description="Shown below your name on invoices"
              name="postalAddress"
              autosize
              minRows={3}
              maxRows={8}
              maxLength={500}
              maw={420}
              defaultValue={settings.postalAddress}
              error={faultOf('postalAddress')}
            />
          </Section>
          <Section title="Security">
            <Stack>
              <Switch
                label="Secure mode"
                description="Charges and bare checkout URLs require a hash that only your server can get"
                checked={secureMode}
                onChange={(event) => setSecureMode(event.currentTarget.checked)}
              />
              <Switch
                label="Require two-factor authentication"
                description="Users without it can sign in, but must set it up before they can do anything else"
                checked={requireTwoFactor}
                onChange={(event) => setRequireTwoFactor(event.currentTarget.checked)}
              />
              <TextInput
                label="Ask for a code again after (minutes)"
                description="Moving live money requires a code entered within this time. From 5 to 60."
                name="reauthenticationMinutes"
                inputMode="numeric"
                maw={420}
                defaultValue={String(settings.reauthenticationMinutes)}
                error={faultOf('reauthenticationMinutes')}
                required
                withAsterisk={false}
              />
              <TagsInput
                label="App schemes"
                description="Apps that customers can return to, such as myshop"
                error={faultOf('redirectSchemes')}
                value={redirectSchemes}
                onChange={setSchemes}
                disabled={!isOwner}
                maxTags={20}
                acceptValueOnBlur
              />
              <TagsInput
                label="Additional phone countries"
                description="Country codes, such as GB. Phones from the payment methods’ countries can always be verified."
                error={faultOf('phoneCountries')}
                value={phoneCountries}
                onChange={setCountries}
                disabled={!isOwner}
                acceptValueOnBlur
              />
            </Stack>
          </Section>
          <Section title="Dashboard">
            <TimeZoneChoice
              description="Used for times and daily totals"
              first={{ value: 'UTC', label: 'Each user’s own' }}
              zone={timeZone}
              onChoose={setTimeZone}
              fault={faultOf('timeZone')}
              disabled={!isOwner}
              maw={420}
            />
          </Section>
          <Refused text={refusal} />
          {isOwner && (
            <Submit isBusy={fetching} beside={<span role="status">{isSaved && 'Saved'}</span>}>
              Save settings
            </Submit>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}

function Money({ settings, faultOf }: { settings: Settings; faultOf: Outcome['faultOf'] }) {
  return (
    <Section title="Payments">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label="Exchange rate markup (%)"
          description="Added when currencies are converted. Up to 10."
          name="markup"
          inputMode="decimal"
          defaultValue={shareToPercent(settings.markup)}
          error={faultOf('markup')}
        />
        <TextInput
          label="Underpayment tolerance (%)"
          description="Accept payments short by up to this. Up to 2."
          name="underpaymentTolerance"
          inputMode="decimal"
          defaultValue={shareToPercent(settings.underpaymentTolerance)}
          error={faultOf('underpaymentTolerance')}
        />
        <TextInput
          label="Maximum rate age (days)"
          description="Live charges with older rates are rejected. From 1 to 31."
          name="rateAgeDays"
          inputMode="numeric"
          defaultValue={String(settings.rateAgeDays)}
          error={faultOf('rateAgeDays')}
          required
          withAsterisk={false}
        />
      </SimpleGrid>
    </Section>
  );
}

/** Error: `Unclear`. */
function readForm(form: FormData): SettingsInput {
  return {
    postalAddress: textOf(form, 'postalAddress'),
    markup: percentToShare(textOf(form, 'markup')),
    underpaymentTolerance: percentToShare(textOf(form, 'underpaymentTolerance')),
    rateAgeDays: readAs('rateAgeDays', () => plainWhole(textOf(form, 'rateAgeDays'))),
    paymentWindows: readWindows(form),
    reauthenticationMinutes: readAs('reauthenticationMinutes', () =>
      plainWhole(textOf(form, 'reauthenticationMinutes')),
    ),
  };
}

type Window = Settings['paymentWindows'][number];
type WindowInput = NonNullable<SettingsInput['paymentWindows']>[number];

const prefix = 'window-';

/** How long a charge waits, a field a method; an empty one keeps the method's usual time. */
function PaymentWindows(props: { windows: readonly Window[]; fault: string | undefined }) {
  const { windows, fault } = props;
  const methodName = useMethodName();
  return (
    <Stack>
      <Text size="sm" c="var(--causeway-muted)">
        How many minutes a charge waits for payment, from 5 to 43,200 (30 days). Leave empty for the method’s
        default. A receiving account’s own payment window takes precedence.
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} style={{ alignItems: 'end' }}>
        {windows.map(({ method, minutes, isOwn }) => (
          <TextInput
            key={method}
            label={methodName(method)}
            name={prefix + method}
            inputMode="numeric"
            defaultValue={isOwn ? String(minutes) : ''}
            placeholder={isOwn ? '' : `${minutes}`}
          />
        ))}
      </SimpleGrid>
      {fault !== undefined && (
        <Text size="sm" c="var(--causeway-error)" role="alert">
          {fault}
        </Text>
      )}
    </Stack>
  );
}

/** The windows that were written. Error: `Unclear`. */
function readWindows(form: FormData): WindowInput[] {
  return [...form].flatMap(([name, value]) => {
    const text = String(value).trim();
    if (!name.startsWith(prefix) || text === '') return [];
    const method = name.slice(prefix.length) as WindowInput['method'];
    return [{ method, minutes: readAs('paymentWindows', () => plainWhole(text)) }];
  });
}
