package shape

// User wrote a Status.
type User struct {
	ID                             int64        `msgpack:"id" json:"id"`
	IDString                       string       `msgpack:"id_str" json:"id_str"`
	Name                           string       `msgpack:"name" json:"name"`
	ScreenName                     string       `msgpack:"screen_name" json:"screen_name"`
	Location                       string       `msgpack:"location" json:"location"`
	Description                    string       `msgpack:"description" json:"description"`
	URL                            *string      `msgpack:"url" json:"url"`
	Entities                       UserEntities `msgpack:"entities" json:"entities"`
	Protected                      bool         `msgpack:"protected" json:"protected"`
	FollowersCount                 int64        `msgpack:"followers_count" json:"followers_count"`
	FriendsCount                   int64        `msgpack:"friends_count" json:"friends_count"`
	ListedCount                    int64        `msgpack:"listed_count" json:"listed_count"`
	CreatedAt                      string       `msgpack:"created_at" json:"created_at"`
	FavouritesCount                int64        `msgpack:"favourites_count" json:"favourites_count"`
	UtcOffset                      *int64       `msgpack:"utc_offset" json:"utc_offset"`
	TimeZone                       *string      `msgpack:"time_zone" json:"time_zone"`
	GeoEnabled                     bool         `msgpack:"geo_enabled" json:"geo_enabled"`
	Verified                       bool         `msgpack:"verified" json:"verified"`
	StatusesCount                  int64        `msgpack:"statuses_count" json:"statuses_count"`
	Lang                           string       `msgpack:"lang" json:"lang"`
	ContributorsEnabled            bool         `msgpack:"contributors_enabled" json:"contributors_enabled"`
	IsTranslator                   bool         `msgpack:"is_translator" json:"is_translator"`
	IsTranslationEnabled           bool         `msgpack:"is_translation_enabled" json:"is_translation_enabled"`
	ProfileBackgroundColor         string       `msgpack:"profile_background_color" json:"profile_background_color"`
	ProfileBackgroundImageURL      string       `msgpack:"profile_background_image_url" json:"profile_background_image_url"`
	ProfileBackgroundImageURLHTTPS string       `msgpack:"profile_background_image_url_https" json:"profile_background_image_url_https"`
	ProfileBackgroundTile          bool         `msgpack:"profile_background_tile" json:"profile_background_tile"`
	ProfileImageURL                string       `msgpack:"profile_image_url" json:"profile_image_url"`
	ProfileImageURLHTTPS           string       `msgpack:"profile_image_url_https" json:"profile_image_url_https"`
	ProfileBannerURL               string       `msgpack:"profile_banner_url" json:"profile_banner_url"`
	ProfileLinkColor               string       `msgpack:"profile_link_color" json:"profile_link_color"`
	ProfileSidebarBorderColor      string       `msgpack:"profile_sidebar_border_color" json:"profile_sidebar_border_color"`
	ProfileSidebarFillColor        string       `msgpack:"profile_sidebar_fill_color" json:"profile_sidebar_fill_color"`
	ProfileTextColor               string       `msgpack:"profile_text_color" json:"profile_text_color"`
	ProfileUseBackgroundImage      bool         `msgpack:"profile_use_background_image" json:"profile_use_background_image"`
	DefaultProfile                 bool         `msgpack:"default_profile" json:"default_profile"`
	DefaultProfileImage            bool         `msgpack:"default_profile_image" json:"default_profile_image"`
	Following                      bool         `msgpack:"following" json:"following"`
	FollowRequestSent              bool         `msgpack:"follow_request_sent" json:"follow_request_sent"`
	Notifications                  bool         `msgpack:"notifications" json:"notifications"`
}

// UserEntities contains the links in the profile of a User.
type UserEntities struct {
	Description Links  `msgpack:"description" json:"description"`
	URL         *Links `msgpack:"url" json:"url"`
}

// Links contains the links of one field.
type Links struct {
	URLs []Link `msgpack:"urls" json:"urls"`
}
