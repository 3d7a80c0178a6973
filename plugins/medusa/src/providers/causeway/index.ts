import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { CausewayProvider } from '../../provider.ts';

export default ModuleProvider(Modules.PAYMENT, { services: [CausewayProvider] });
