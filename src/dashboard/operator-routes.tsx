import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { lazyPage } from './shell/lazy-page.tsx';

const MerchantsPage = lazyPage(() => import('./pages/operator/merchants-page.tsx'));
const MerchantPage = lazyPage(() => import('./pages/operator/merchant-page.tsx'));
const RequestsPage = lazyPage(() => import('./pages/operator/requests-page.tsx'));
const RatesPage = lazyPage(() => import('./pages/operator/rates-page.tsx'));
const HealthPage = lazyPage(() => import('./pages/operator/health-page.tsx'));
const JobsPage = lazyPage(() => import('./pages/operator/jobs-page.tsx'));
const HelpPage = lazyPage(() => import('./pages/help/help-page.tsx'));
const AccountPage = lazyPage(() => import('./pages/account/account-page.tsx'));

/** The pages of operators, who have no merchant pages. */
export function OperatorRoutes() {
  return (
    <Suspense>
      <Switch>
        <Route path="/" component={MerchantsPage} />
        <Route path="/merchants/:id">{({ id }) => <MerchantPage key={id} id={id} />}</Route>
        <Route path="/requests" component={RequestsPage} />
        <Route path="/rates" component={RatesPage} />
        <Route path="/health" component={HealthPage} />
        <Route path="/jobs" component={JobsPage} />
        <Route path="/account" component={AccountPage} />
        <Route path="/help/*">{({ '*': slug }) => <HelpPage slug={slug} />}</Route>
        <Route component={NotFoundPage} />
      </Switch>
    </Suspense>
  );
}
