import { useMay } from '../session/ViewerProvider.tsx';
import { useNewInAddress } from './use-new-in-address.ts';

/** The form for another workspace, which the frame shows above any page; for owners. */
export const useNewWorkspace = () => useNewInAddress(useMay('OWNER'), 'new-workspace');
