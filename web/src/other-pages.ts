/*
 * The code of the pages that are not the first ones of a visitor. The names and parts of all of them are in this file,
 * which is no part of the first load.
 */

// Loaded together with the pages, whose texts it finds.
import './i18n/other-texts.ts';

export const LiveInvite = () => import('./features/live/LiveInvite.tsx');
export const EntryPage = () => import('./features/landing/EntryPage.tsx');
export const RegisterSuccessPage = () => import('./features/auth/RegisterSuccessPage.tsx');
export const ConfirmationPage = () => import('./features/auth/ConfirmationPage.tsx');
export const ForgetPasswordPage = () => import('./features/auth/ForgetPasswordPage.tsx');
export const GuestPage = () => import('./features/guest/GuestPage.tsx');
export const MediaWall = () => import('./features/content/MediaWall.tsx');
export const SharedPage = () => import('./features/share/SharedPage.tsx');
export const EmbedPage = () => import('./features/share/EmbedPage.tsx');
export const StoreFeed = () => import('./features/store/StoreFeed.tsx');
export const PlanPage = () => import('./features/store/PlanPage.tsx');
export const LinkUploadPage = () => import('./features/upload/LinkUploadPage.tsx');
export const NotifyPage = () => import('./features/pages/NotifyPage.tsx');
export const LocationsPage = () => import('./features/pages/LocationsPage.tsx');
export const FaqPage = () => import('./features/pages/FaqPage.tsx');
export const AboutPage = () => import('./features/pages/AboutPage.tsx');
export const PolicyPage = () => import('./features/pages/PolicyPage.tsx');
export const MaintenancePage = () => import('./features/shell/MaintenancePage.tsx');
export const UploadDialog = () => import('./features/upload/UploadDialog.tsx');
export const PlayerPage = () => import('./features/live/PlayerPage.tsx');
export const WatchPage = () => import('./features/live/WatchPage.tsx');
export const MenuPage = () => import('./features/menu/MenuPage.tsx');
export const ProfilePage = () => import('./features/profile/ProfilePage.tsx');
export const EditProfilePage = () => import('./features/profile/EditProfilePage.tsx');
export const KeepAccount = () => import('./features/profile/KeepAccount.tsx');
export const ResultView = () => import('./features/result/ResultView.tsx');
export const AlbumsPage = () => import('./features/albums/AlbumsPage.tsx');
export const AlbumPage = () => import('./features/albums/AlbumPage.tsx');
export const OrdersPage = () => import('./features/orders/OrdersPage.tsx');
export const PaymentsPage = () => import('./features/orders/PaymentsPage.tsx');
export const SubscriptionsPage = () => import('./features/subscription/SubscriptionsPage.tsx');
export const PointsPage = () => import('./features/points/PointsPage.tsx');
export const AddValuePage = () => import('./features/purchase/AddValuePage.tsx');
export const TradeResultPage = () => import('./features/purchase/TradeResultPage.tsx');
export const ResultPage = () => import('./features/result/ResultPage.tsx');
export const QrCodePage = () => import('./features/frames/QrCodePage.tsx');
export const FramePage = () => import('./features/frames/FramePage.tsx');
export const FramesStrip = () => import('./features/frames/FramesStrip.tsx');
export const FramesPage = () => import('./features/frames/FramesPage.tsx');
export const SharesPage = () => import('./features/share/SharesPage.tsx');
export const AdminArea = () => import('./features/admin/AdminArea.tsx');
export const DevGate = () => import('./features/dev/DevGate.tsx');
export const ConfirmUploadPage = () => import('./features/upload/ConfirmUploadPage.tsx');
export const StorePage = () => import('./features/store/StorePage.tsx');
export const UploadLinksPage = () => import('./features/upload-links/UploadLinksPage.tsx');
export const FriendsPage = () => import('./features/friends/FriendsPage.tsx');
export const UploadPage = () => import('./features/pages/UploadPage.tsx');
export const ContentPage = () => import('./features/content/ContentPage.tsx');
