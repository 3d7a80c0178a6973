import { Stack } from '@mantine/core';
import { useRead } from '../../graphql/use-read.ts';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { roleTexts } from '../../parts/role-texts.ts';
import { Section } from '../../parts/section.tsx';
import { accountQuery } from './account-query.ts';
import { ChangeName } from './change-name.tsx';
import { ChangePassword } from './change-password.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

/** How one signs in oneself, and where one is signed in. */
export default function AccountPage() {
  const read = useRead(accountQuery);
  return (
    <>
      <PageHeader title="Your account" text="How you sign in, and where you are signed in." />
      <Loaded read={{ ...read, data: read.data?.viewer ?? undefined }} lines={8}>
        {(me) => (
          <Stack gap="lg">
            <Section title="You">
              <Facts
                facts={[
                  ['E-mail', me.user.email],
                  ['Role', `${roleTexts[me.user.role].name}: ${roleTexts[me.user.role].text}`],
                ]}
              />
              <ChangeName key={me.user.name} name={me.user.name} />
            </Section>
            <Section title="Password">
              <ChangePassword
                hasSecondFactor={me.user.hasSecondFactor}
                email={me.user.email}
                onChanged={read.refresh}
              />
            </Section>
            <SecondFactor me={me} onChanged={read.refresh} />
            <Sessions sessions={me.sessions} onChanged={read.refresh} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}
