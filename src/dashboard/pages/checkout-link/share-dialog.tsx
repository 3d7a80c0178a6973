import { Button, Card, Group, Image, NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, type RefCallback, useRef, useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import {
  type CustomerLocale,
  customerLanguages,
  getLocalLanguage,
  toLanguageTag,
} from '../../components/customer-languages.ts';
import { Dialog } from '../../components/dialog.tsx';
import { LinkButtons, LinkCode } from '../../components/link-sharing.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Muted } from '../../components/muted.tsx';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { toSameOriginPath } from '../../graphql/to-same-origin-path.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useMerchantCountry } from '../payment-methods.ts';

/** Previews a link in a language of the customers, and copies, shares or prints it. */
export function ShareDialog(props: { id: string; name: string; opened: boolean; onClose: () => void }) {
  const { id, name, opened, onClose } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={fillText(t.checkoutLink.shareThisLink, { name })}>
      {opened && <ShareContent id={id} />}
    </Dialog>
  );
}

/** The content of the dialog. "Copy link" takes the focus when it appears first. */
export function ShareContent({ id }: { id: string }) {
  const localLanguage = getLocalLanguage(useMerchantCountry());
  const [chosenLocale, setLocale] = useState<CustomerLocale>();
  const locale = chosenLocale ?? localLanguage;
  const query = useCachedQuery(shareQuery, { id, locale });
  const [chosenSecond, setSecond] = useState<CustomerLocale | ''>();
  const hasFocused = useRef(false);
  const focusOnce = (button: HTMLButtonElement | null) => {
    if (!button || hasFocused.current) return;
    hasFocused.current = true;
    button.focus();
  };
  return (
    <Stack>
      <NativeSelect
        label={t.checkoutLink.languageOfTheCustomers}
        value={locale}
        onChange={(event) => setLocale(event.currentTarget.value as CustomerLocale)}
        data={customerLanguages}
      />
      <Loaded query={query} lines={8}>
        {({ checkoutLink }) => {
          if (!checkoutLink) return null;
          const second = chosenSecond ?? getSecondLocale(locale, localLanguage);
          return (
            <SharedLink share={checkoutLink.share} second={second} copyRef={focusOnce}>
              <NativeSelect
                label={t.checkoutLink.secondLanguageOfPoster}
                value={second}
                onChange={(event) => setSecond(event.currentTarget.value as CustomerLocale | '')}
                data={[
                  { value: '', label: t.common.none },
                  ...customerLanguages.filter(({ value }) => value !== locale),
                ]}
              />
            </SharedLink>
          );
        }}
      </Loaded>
    </Stack>
  );
}

/** Returns the language of the merchant's country or, if the poster is in that language, English; empty for none. */
function getSecondLocale(locale: CustomerLocale, local: CustomerLocale): CustomerLocale | '' {
  if (locale !== local) return local;
  return locale === 'en' ? '' : 'en';
}

type Share = NonNullable<ResultOf<typeof shareQuery>['checkoutLink']>['share'];

function SharedLink(props: {
  share: Share;
  second: CustomerLocale | '';
  copyRef: RefCallback<HTMLButtonElement>;
  children: ReactNode;
}) {
  const { share, second, copyRef, children } = props;
  const { url, title, posterUrl } = share;
  const secondParameter = second === '' ? '' : `&second=${toLanguageTag(second)}`;
  return (
    <Stack>
      <Preview share={share} />
      <LinkButtons url={url} title={title} copyRef={copyRef}>
        <Button
          variant="default"
          component="a"
          href={`${toSameOriginPath(posterUrl)}${secondParameter}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t.checkoutLink.printPoster}
        </Button>
      </LinkButtons>
      {children}
      <LinkCode url={url} />
    </Stack>
  );
}

/** Shows the link as messengers and social networks preview it. */
function Preview({ share: { url, title, description, siteName, imageUrl } }: { share: Share }) {
  return (
    <section aria-label={t.checkoutLink.previewInMessengers}>
      <Card withBorder padding="sm">
        <Group wrap="nowrap" align="flex-start">
          {imageUrl !== null && <Image src={toSameOriginPath(imageUrl)} alt="" w={64} h={64} fit="contain" />}
          <div>
            <Text size="xs" c="dimmed">
              {siteName} · {new URL(url).host}
            </Text>
            <Text fw={600}>{title}</Text>
            <Text size="sm">{description}</Text>
          </div>
        </Group>
      </Card>
      {imageUrl === null && <Muted>{t.checkoutLink.addALogoIn}</Muted>}
    </section>
  );
}

const shareQuery = graphql(`
  query SharedCheckoutLink($id: ID!, $locale: Locale!) {
    checkoutLink(id: $id) {
      id
      share(locale: $locale) {
        url
        title
        description
        siteName
        imageUrl
        posterUrl
      }
    }
  }
`);
