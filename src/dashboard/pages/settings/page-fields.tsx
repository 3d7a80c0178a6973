import { Select, SimpleGrid, Switch, Text, TextInput } from '@mantine/core';
import { getText } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { Section } from '../../components/section.tsx';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { locale, t } from '../../language/texts.ts';
import { useMethodRegions } from '../payment-methods.ts';
import { BrandColorField } from './brand-color-field.tsx';
import { LogoField } from './logo-field.tsx';
import type { SettingsDetails } from './settings-query.ts';

/** The merchant's details on customer pages. */
const pageFields = [
  {
    name: 'displayName',
    label: t.settings.displayName,
    description: t.settings.shownToCustomersInstead,
    placeholder: t.settings.harbourTeas,
  },
  {
    name: 'supportEmail',
    label: t.settings.supportEmail,
    description: t.settings.customersCanSendQuestions,
    placeholder: 'help@shop.example',
  },
  {
    name: 'websiteUrl',
    label: t.settings.website,
    description: t.settings.customersReturnHereIf,
    placeholder: 'https://shop.example',
  },
  {
    name: 'termsUrl',
    label: t.settings.terms,
    description: t.settings.linkedOnEveryCustomer,
    placeholder: 'https://shop.example/terms',
  },
  {
    name: 'privacyUrl',
    label: t.settings.privacyPolicy,
    description: t.settings.linkedOnEveryCustomer,
    placeholder: 'https://shop.example/privacy',
  },
] as const;

type PageFieldName = (typeof pageFields)[number]['name'] | 'country';

/** Returns the settings in these fields. A web address may be written without `https://`. */
export function readPageFields(form: FormData): Record<PageFieldName, string | null> {
  const read = (name: PageFieldName) => {
    const text = getText(form, name);
    const hasScheme = !name.endsWith('Url') || text === '' || /^[a-z][a-z\d+.-]*:/i.test(text);
    return (hasScheme ? text : `https://${text}`) || null;
  };
  const names = [...pageFields.map(({ name }) => name), 'country' as const];
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<PageFieldName, string | null>;
}

const countryNames = new Intl.DisplayNames(locale, { type: 'region' });

export function PageFields(props: {
  settings: SettingsDetails;
  getFieldError: (name: PageFieldName | 'logo' | 'brandColor') => string | undefined;
  color: string;
  onColor: (color: string) => void;
  onLogo: (logo: string | null) => void;
  onCountry: () => void;
  areReceiptsEmailed: boolean;
  onReceipts: (areEmailed: boolean) => void;
}) {
  const { settings, getFieldError } = props;
  const countries = [...new Set(useMethodRegions().map(({ country }) => country))];
  return (
    <Section title={t.settings.customerPages}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mb="md">
        <LogoField url={settings.logoUrl} error={getFieldError('logo')} onChange={props.onLogo} />
        <BrandColorField color={props.color} error={getFieldError('brandColor')} onChange={props.onColor} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {pageFields.map(({ name, label, description, placeholder }) => (
          <TextInput
            key={name}
            name={name}
            label={label}
            description={description}
            placeholder={placeholder}
            maxLength={500}
            defaultValue={settings[name] ?? ''}
            error={getFieldError(name)}
          />
        ))}
        <Select
          // The name of the selected country is shown only if the list is there when the field is created.
          key={countries.length}
          name="country"
          label={t.settings.country}
          description={t.settings.customersSeeThePayment}
          data={countries.map((value) => ({ value, label: countryNames.of(value) ?? value }))}
          defaultValue={settings.country}
          onChange={props.onCountry}
          error={getFieldError('country')}
          clearable
          {...searchableSelectProps}
        />
      </SimpleGrid>
      <Text size="sm" c="var(--causeway-muted)" mt="md">
        {fillNodes(t.settings.toSeeYourPages, {
          checkoutLinks: (
            <Link to="/checkout-links" underline="always">
              {t.shell.checkoutLinks}
            </Link>
          ),
        })}
      </Text>
      <Switch
        mt="md"
        label={t.settings.emailReceipts}
        name="areReceiptsEmailed"
        description={isMailDelivered ? t.settings.customersWithAnEmail : t.subscriptionPlan.nothingIsSentYet}
        checked={props.areReceiptsEmailed}
        onChange={(event) => props.onReceipts(event.currentTarget.checked)}
      />
    </Section>
  );
}
