package shape

// These are the types of the JSON documents in Go's source tree. A field that
// is null in a document is a pointer, and a pointer to a string if it is always
// null. No field has omitempty, because one of the generators does not support
// it. The FHIR document has no type, because one of its keys has values of
// different types: a string, an object and a list.

// Canada is the document canada_geometry: a polygon that consists almost only
// of numbers.
type Canada struct {
	Type     string    `msgpack:"type" json:"type"`
	Features []Feature `msgpack:"features" json:"features"`
}

// Feature is a part of Canada.
type Feature struct {
	Type       string            `msgpack:"type" json:"type"`
	Properties map[string]string `msgpack:"properties" json:"properties"`
	Geometry   Geometry          `msgpack:"geometry" json:"geometry"`
}

// Geometry is the shape of a Feature: rings of points.
type Geometry struct {
	Type        string        `msgpack:"type" json:"type"`
	Coordinates [][][]float64 `msgpack:"coordinates" json:"coordinates"`
}

// Catalog is the document citm_catalog: maps and integers. Its keys are
// numbers, written as strings because JSON requires it.
type Catalog struct {
	AreaNames                map[string]string  `msgpack:"areaNames" json:"areaNames"`
	AudienceSubCategoryNames map[string]string  `msgpack:"audienceSubCategoryNames" json:"audienceSubCategoryNames"`
	BlockNames               map[string]string  `msgpack:"blockNames" json:"blockNames"`
	Events                   map[string]Show    `msgpack:"events" json:"events"`
	Performances             []Performance      `msgpack:"performances" json:"performances"`
	SeatCategoryNames        map[string]string  `msgpack:"seatCategoryNames" json:"seatCategoryNames"`
	SubTopicNames            map[string]string  `msgpack:"subTopicNames" json:"subTopicNames"`
	SubjectNames             map[string]string  `msgpack:"subjectNames" json:"subjectNames"`
	TopicNames               map[string]string  `msgpack:"topicNames" json:"topicNames"`
	TopicSubTopics           map[string][]int64 `msgpack:"topicSubTopics" json:"topicSubTopics"`
	VenueNames               map[string]string  `msgpack:"venueNames" json:"venueNames"`
}

// Show is a show in a Catalog.
type Show struct {
	Description *string `msgpack:"description" json:"description"`
	ID          int64   `msgpack:"id" json:"id"`
	Logo        *string `msgpack:"logo" json:"logo"`
	Name        string  `msgpack:"name" json:"name"`
	SubTopicIDs []int64 `msgpack:"subTopicIds" json:"subTopicIds"`
	SubjectCode *string `msgpack:"subjectCode" json:"subjectCode"`
	Subtitle    *string `msgpack:"subtitle" json:"subtitle"`
	TopicIDs    []int64 `msgpack:"topicIds" json:"topicIds"`
}

// Performance is one performance of a Show.
type Performance struct {
	EventID        int64          `msgpack:"eventId" json:"eventId"`
	ID             int64          `msgpack:"id" json:"id"`
	Logo           *string        `msgpack:"logo" json:"logo"`
	Name           *string        `msgpack:"name" json:"name"`
	Prices         []Price        `msgpack:"prices" json:"prices"`
	SeatCategories []SeatCategory `msgpack:"seatCategories" json:"seatCategories"`
	SeatMapImage   *string        `msgpack:"seatMapImage" json:"seatMapImage"`
	Start          int64          `msgpack:"start" json:"start"`
	VenueCode      string         `msgpack:"venueCode" json:"venueCode"`
}

// Price is the price of a seat at a Performance.
type Price struct {
	Amount                int64 `msgpack:"amount" json:"amount"`
	AudienceSubCategoryID int64 `msgpack:"audienceSubCategoryId" json:"audienceSubCategoryId"`
	SeatCategoryID        int64 `msgpack:"seatCategoryId" json:"seatCategoryId"`
}

// SeatCategory is the category of the seats of a price.
type SeatCategory struct {
	Areas          []Area `msgpack:"areas" json:"areas"`
	SeatCategoryID int64  `msgpack:"seatCategoryId" json:"seatCategoryId"`
}

// Area is a part of the hall.
type Area struct {
	AreaID   int64   `msgpack:"areaId" json:"areaId"`
	BlockIDs []int64 `msgpack:"blockIds" json:"blockIds"`
}

// Source is the document golang_source: a tree of files, and thus a recursive
// type.
type Source struct {
	Tree     *Node  `msgpack:"tree" json:"tree"`
	Username string `msgpack:"username" json:"username"`
}

// Node is a file or directory of a Source.
type Node struct {
	Name   string  `msgpack:"name" json:"name"`
	Kids   []Node  `msgpack:"kids" json:"kids"`
	Weight float64 `msgpack:"cl_weight" json:"cl_weight"`
	Touch  int64   `msgpack:"touches" json:"touches"`
	Min    int64   `msgpack:"min_t" json:"min_t"`
	Max    int64   `msgpack:"max_t" json:"max_t"`
	Mean   int64   `msgpack:"mean_t" json:"mean_t"`
}

// Twitter is the document twitter_status: wide structs of short strings, and
// text in many scripts.
type Twitter struct {
	Statuses []Status `msgpack:"statuses" json:"statuses"`
	Search   Search   `msgpack:"search_metadata" json:"search_metadata"`
}

// Search describes the query whose results are the statuses.
type Search struct {
	CompletedIn   float64 `msgpack:"completed_in" json:"completed_in"`
	MaxID         int64   `msgpack:"max_id" json:"max_id"`
	MaxIDString   string  `msgpack:"max_id_str" json:"max_id_str"`
	NextResults   string  `msgpack:"next_results" json:"next_results"`
	Query         string  `msgpack:"query" json:"query"`
	RefreshURL    string  `msgpack:"refresh_url" json:"refresh_url"`
	Count         int64   `msgpack:"count" json:"count"`
	SinceID       int64   `msgpack:"since_id" json:"since_id"`
	SinceIDString string  `msgpack:"since_id_str" json:"since_id_str"`
}

// Status is one message.
type Status struct {
	Metadata                StatusMeta `msgpack:"metadata" json:"metadata"`
	CreatedAt               string     `msgpack:"created_at" json:"created_at"`
	ID                      int64      `msgpack:"id" json:"id"`
	IDString                string     `msgpack:"id_str" json:"id_str"`
	Text                    string     `msgpack:"text" json:"text"`
	Source                  string     `msgpack:"source" json:"source"`
	Truncated               bool       `msgpack:"truncated" json:"truncated"`
	InReplyToStatusID       *int64     `msgpack:"in_reply_to_status_id" json:"in_reply_to_status_id"`
	InReplyToStatusIDString *string    `msgpack:"in_reply_to_status_id_str" json:"in_reply_to_status_id_str"`
	InReplyToUserID         *int64     `msgpack:"in_reply_to_user_id" json:"in_reply_to_user_id"`
	InReplyToUserIDString   *string    `msgpack:"in_reply_to_user_id_str" json:"in_reply_to_user_id_str"`
	InReplyToScreenName     *string    `msgpack:"in_reply_to_screen_name" json:"in_reply_to_screen_name"`
	User                    User       `msgpack:"user" json:"user"`
	Geo                     *string    `msgpack:"geo" json:"geo"`
	Coordinates             *string    `msgpack:"coordinates" json:"coordinates"`
	Place                   *string    `msgpack:"place" json:"place"`
	Contributors            *string    `msgpack:"contributors" json:"contributors"`
	RetweetCount            int64      `msgpack:"retweet_count" json:"retweet_count"`
	FavoriteCount           int64      `msgpack:"favorite_count" json:"favorite_count"`
	Entities                Entities   `msgpack:"entities" json:"entities"`
	Favorited               bool       `msgpack:"favorited" json:"favorited"`
	Retweeted               bool       `msgpack:"retweeted" json:"retweeted"`
	Lang                    string     `msgpack:"lang" json:"lang"`
	RetweetedStatus         *Status    `msgpack:"retweeted_status" json:"retweeted_status"`
	PossiblySensitive       *bool      `msgpack:"possibly_sensitive" json:"possibly_sensitive"`
}

// StatusMeta is how a Status was found.
type StatusMeta struct {
	ResultType      string `msgpack:"result_type" json:"result_type"`
	IsoLanguageCode string `msgpack:"iso_language_code" json:"iso_language_code"`
}

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

// Entities contains the parts of a text with a special meaning.
type Entities struct {
	Hashtags     []Hashtag `msgpack:"hashtags" json:"hashtags"`
	Symbols      []Hashtag `msgpack:"symbols" json:"symbols"`
	URLs         []Link    `msgpack:"urls" json:"urls"`
	UserMentions []Mention `msgpack:"user_mentions" json:"user_mentions"`
	Media        []Media   `msg:"media,allownil" msgpack:"media" json:"media"`
}

// Hashtag is a hashtag and its position.
type Hashtag struct {
	Text    string  `msgpack:"text" json:"text"`
	Indices []int64 `msgpack:"indices" json:"indices"`
}

// Link is an address and its position.
type Link struct {
	URL         string  `msgpack:"url" json:"url"`
	ExpandedURL string  `msgpack:"expanded_url" json:"expanded_url"`
	DisplayURL  string  `msgpack:"display_url" json:"display_url"`
	Indices     []int64 `msgpack:"indices" json:"indices"`
}

// Mention is the name of a User and its position.
type Mention struct {
	ScreenName string  `msgpack:"screen_name" json:"screen_name"`
	Name       string  `msgpack:"name" json:"name"`
	ID         int64   `msgpack:"id" json:"id"`
	IDString   string  `msgpack:"id_str" json:"id_str"`
	Indices    []int64 `msgpack:"indices" json:"indices"`
}

// Media is a picture.
type Media struct {
	ID                   int64           `msgpack:"id" json:"id"`
	IDString             string          `msgpack:"id_str" json:"id_str"`
	Indices              []int64         `msgpack:"indices" json:"indices"`
	MediaURL             string          `msgpack:"media_url" json:"media_url"`
	MediaURLHTTPS        string          `msgpack:"media_url_https" json:"media_url_https"`
	URL                  string          `msgpack:"url" json:"url"`
	DisplayURL           string          `msgpack:"display_url" json:"display_url"`
	ExpandedURL          string          `msgpack:"expanded_url" json:"expanded_url"`
	Type                 string          `msgpack:"type" json:"type"`
	Sizes                map[string]Size `msgpack:"sizes" json:"sizes"`
	SourceStatusID       int64           `msgpack:"source_status_id" json:"source_status_id"`
	SourceStatusIDString string          `msgpack:"source_status_id_str" json:"source_status_id_str"`
}

// Size is an available size of a Media.
type Size struct {
	W      int64  `msgpack:"w" json:"w"`
	H      int64  `msgpack:"h" json:"h"`
	Resize string `msgpack:"resize" json:"resize"`
}
