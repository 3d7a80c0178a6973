import { Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { lazyPage } from './shell/lazy-page.tsx';

const CounterPage = lazyPage(() => import('./pages/counter/counter-page.tsx'));
const HelpPage = lazyPage(() => import('./pages/help/help-page.tsx'));
const AccountPage = lazyPage(() => import('./pages/account/account-page.tsx'));

/** The pages of users who may only sell at the counter. */
export function CounterRoutes() {
  return (
    <Suspense>
      <Switch>
        <Route path="/">
          <Redirect to="/counter" replace />
        </Route>
        <Route path="/counter" component={CounterPage} />
        <Route path="/account" component={AccountPage} />
        <Route path="/help/*">{({ '*': slug }) => <HelpPage slug={slug} />}</Route>
        <Route component={NotFoundPage} />
      </Switch>
    </Suspense>
  );
}
