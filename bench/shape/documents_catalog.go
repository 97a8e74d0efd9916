package shape

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
